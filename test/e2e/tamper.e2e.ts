import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keptFile, overwrite, storeOf } from "./kept.js";
import { at, library } from "./library.js";
import { tieout, workplace } from "./product.js";

const RUN = "refunds-2026-08-03";
const KEYS = `refunds/${RUN}`;
const MINUTES = { timeout: 300_000 };

let cwd: string;
let whole: string;
let input: string;
beforeAll(async () => {
  cwd = workplace();
  whole = `${cwd}/whole`;
  const { runJob } = await library();
  await runJob({ job: "refunds", as_of: "2026-08-03", inputs: "exports/2026-08-03" }, at(cwd));
  cpSync(storeOf(cwd), whole, { recursive: true, preserveTimestamps: true });
  input = `inputs/${readdirSync(`${whole}/inputs`)[0]}`;
}, 300_000);
afterAll(() => rmSync(cwd, { recursive: true }));

/** The store as it was, and nothing remembered of it on this machine. */
function restore(): void {
  for (const dir of [storeOf(cwd), `${cwd}/.tieout/runs`])
    rmSync(dir, { recursive: true, force: true });
  cpSync(whole, storeOf(cwd), { recursive: true, preserveTimestamps: true });
}

/** Another digit in the place of the last one; in a file without digits, of its middle byte. */
function changeOneDigit(path: string): void {
  const bytes = readFileSync(path);
  const text = bytes.toString("latin1");
  const isText = !/[^\t\n\r -~\x80-\xff]/.test(text);
  const i = isText ? text.search(/\d(?=\D*$)/) : bytes.length >> 1;
  bytes[i] = (bytes[i] ?? 0) ^ 1;
  overwrite(path, bytes);
}

/** Another bit of another byte for each `n`, so that no place in a file is spared. */
function flipOneBit(path: string, n: number): void {
  const bytes = readFileSync(path);
  const i = (n * 7919) % bytes.length;
  bytes[i] = (bytes[i] ?? 0) ^ (1 << (n % 8));
  overwrite(path, bytes);
}

/** With its sidecar gone, the store itself has nothing to compare the bytes with. */
function forget(key: string): void {
  rmSync(`${storeOf(cwd)}/.tieout/${key}.json`);
}

async function breaches() {
  const { recheck } = await library();
  const { sound, breaches: found } = await recheck({ run: RUN }, at(cwd));
  expect(sound).toBe(found.length === 0);
  return found;
}

/** Each kind of object of a run: its key, the invariant that recheck names, and what reads it. */
const OBJECTS = [
  ["an input", () => input, "I003", "refunds|ledger"],
  ["a CSV artefact", () => `${KEYS}/a1/discrepancies.csv`, "I003", "discrepancies"],
  ["a workbook", () => `${KEYS}/a1/seller_summary.xlsx`, "I003", null],
  ["a twin", () => `${KEYS}/a1/records/twins/seller_summary.xlsx.parquet`, "I003", "summary"],
  ["the kept SQL", () => `${KEYS}/a1/records/sql/joined.sql`, "I003", null],
  ["the kept job", () => `${KEYS}/a1/records/job.json`, "I003", null],
  ["the journal", () => `${KEYS}/a1/records/journal.jsonl`, "I003", "log.journal"],
  ["the summary", () => `${KEYS}/a1/summary.md`, "I003", null],
  ["the checksums", () => `${KEYS}/a1/SHA256SUMS`, "I003", null],
  ["the receipts", () => `${KEYS}/a1/receipts.json`, "I004", "discrepancies"],
  ["the manifest", () => `${KEYS}/a1/manifest.json`, "I004", "discrepancies"],
  ["the commit", () => `${KEYS}/committed.json`, "I004", "discrepancies"],
] as const;

test("a run that nobody touched is sound, and sha256sum says so too", MINUTES, async () => {
  restore();
  expect(await breaches()).toEqual([]);
  const dir = keptFile(cwd, RUN, "");
  const lines = readFileSync(`${dir}SHA256SUMS`, "utf8").trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(8);
  if (spawnSync("sha256sum", ["--version"]).error === undefined)
    execFileSync("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: dir });
});

test("every step's kept SQL gives its bytes again, and every check runs", MINUTES, async () => {
  restore();
  const { recheck } = await library();
  const answer = await recheck({ run: RUN }, at(cwd));
  expect(answer).toMatchObject({ sound: true, complete: true, files_made_again: 4 });
  expect(answer).toMatchObject({ checks_run: 18, checks_not_run: [], not_named: [] });
  expect(readdirSync(`${cwd}/.tieout/runs`).filter((f) => f.startsWith(".recheck"))).toEqual([]);
});

test("a key that the commit does not name is told, and breaks nothing", MINUTES, async () => {
  restore();
  writeFileSync(`${storeOf(cwd)}/${KEYS}/a1/stray.txt`, "stray");
  const { recheck } = await library();
  const { sound, not_named } = await recheck({ run: RUN }, at(cwd));
  expect({ sound, not_named }).toEqual({ sound: true, not_named: [`${KEYS}/a1/stray.txt`] });
});

describe.each(OBJECTS)("one digit of %s", (_, key, invariant, relation) => {
  test("changed in the store is found and named, and is not read over", MINUTES, async () => {
    restore();
    changeOneDigit(`${storeOf(cwd)}/${key()}`);
    expect(await breaches()).toContainEqual(expect.objectContaining({ invariant, subject: key() }));
    if (relation !== null) await refusesRead(relation);
  });

  test("changed where the store remembers nothing of it is found too", MINUTES, async () => {
    restore();
    changeOneDigit(`${storeOf(cwd)}/${key()}`);
    forget(key());
    const found = await breaches();
    expect(found.length).toBeGreaterThan(0);
    expect(found.map((b) => b.subject).join()).toMatch(
      key() === `${KEYS}/committed.json` ? RUN : key(),
    );
  });
});

describe.each(OBJECTS.filter(([what]) => what !== "the commit"))("%s", (_, key, __, relation) => {
  test("lost from the store is found and named, and a read of it refuses", MINUTES, async () => {
    restore();
    rmSync(`${storeOf(cwd)}/${key()}`);
    expect((await breaches()).map((b) => b.subject)).toContain(key());
    if (relation !== null) await refusesRead(relation);
  });
});

test("one bit of any object is found, and that object alone is named", MINUTES, async () => {
  const all = readdirSync(whole, { recursive: true, encoding: "utf8" });
  const objects = all.filter(
    (key) =>
      /^(inputs|refunds)\//.test(key) &&
      !key.startsWith(`${KEYS}/claims/`) &&
      statSync(`${whole}/${key}`).isFile(),
  );
  expect(objects.length).toBeGreaterThan(15);
  const named: Record<string, string[]> = {};
  for (const [n, key] of objects.entries()) {
    restore();
    flipOneBit(`${storeOf(cwd)}/${key}`, n);
    named[key] = [...new Set((await breaches()).map((b) => b.subject))];
  }
  expect(named).toEqual(Object.fromEntries(objects.map((key) => [key, [key]])));
});

test("damage is exit 9 of the command line", MINUTES, async () => {
  restore();
  changeOneDigit(`${storeOf(cwd)}/${KEYS}/a1/summary.md`);
  expect(await tieout(["recheck", RUN], cwd)).toMatchObject({ exit: 9 });
});

async function refusesRead(relations: string): Promise<void> {
  const { head } = await library();
  const codes = [];
  for (const relation of relations.split("|")) {
    codes.push(
      await head({ run: RUN, relation }, at(cwd)).then(
        () => "read",
        (e) => e.code,
      ),
    );
  }
  expect(codes).toContain("DAMAGED");
}
