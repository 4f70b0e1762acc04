// node .ci/numbers.mjs <store> <as-of> [alone]: the committed run of the refunds job says what the fixture
// expects: its figures, and the very bytes of its discrepancies. `alone`: no earlier week was run, so only what
// does not look back is compared.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const [store = ".", as_of = "", alone] = process.argv.slice(2);
const run_id = `refunds-${as_of}`;
const expected = new URL(`../fixtures/refunds/expected/${as_of}/`, import.meta.url);
const LOOKS_BACK = new Set(["fresh"]);

const files = readdirSync(store, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`);
const committed = files.filter((file) => file.endsWith(`/${run_id}/committed.json`));
if (committed.length !== 1) fail(`${committed.length} commits of ${run_id} below ${store}`);
const folder = committed[0].slice(0, -"committed.json".length);
const { attempt } = JSON.parse(readFileSync(committed[0], "utf8"));
const manifest = JSON.parse(readFileSync(`${folder}a${attempt}/manifest.json`, "utf8"));

const figures = new Map(manifest.figures.map((f) => [f.name, f.rows ?? f.value]));
for (const [name, value] of Object.entries(
  JSON.parse(readFileSync(new URL("figures.json", expected), "utf8")),
)) {
  if (alone && LOOKS_BACK.has(name)) continue;
  const said = JSON.stringify(figures.get(name));
  if (said !== JSON.stringify(value))
    fail(`figure ${name} is ${said}, not ${JSON.stringify(value)}`);
}
if (!alone) {
  const { sha256 } = manifest.artefacts.find((a) => a.path === "discrepancies.csv");
  const bytes = readFileSync(new URL("discrepancies.csv", expected));
  if (createHash("sha256").update(bytes).digest("hex") !== sha256)
    fail("discrepancies.csv has other bytes");
}
process.stdout.write(`${run_id}: ${figures.size} figures as expected\n`);

function fail(says) {
  process.stderr.write(`${says}\n`);
  process.exit(1);
}
