import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import { canonicalJson } from "../../src/model/canonical.js";
import { isTieout } from "../../src/model/errors.js";
import { startProcess, walkTold } from "./process.js";
import { EXPORTS, heldRun, loadCards, SEQUENCES } from "./scenes.js";
import { recording } from "./tape.js";
import { diskWorld } from "./world.js";

/** Every answer that DuckDB gives in the sequences, over real files. */
export async function recordAnswers() {
  const duckdb = await duckdbInline({ temp: tmpdir() });
  const loaded = await loadCards();
  const all: Record<string, unknown> = {};
  for (const sequence of SEQUENCES) {
    const world = diskWorld(mkdtempSync(join(tmpdir(), "tieout-record-")));
    const { engine, answers } = recording(duckdb, world.bytes);
    for (const [as_of, night, revision] of sequence) {
      const process = startProcess(world, { exports: EXPORTS[night], engine });
      const told = await walkTold(heldRun(loaded, as_of, revision), process);
      if ("error" in told && !isTieout(told.error, "CHECK_FAILED")) throw told.error;
    }
    Object.assign(all, answers);
    world.end();
  }
  await duckdb.close();
  return all;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const answers = await recordAnswers();
  const sorted = Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(
    new URL("recording.json", import.meta.url),
    `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`,
  );
  console.log(`${sorted.length} answers`);
}
