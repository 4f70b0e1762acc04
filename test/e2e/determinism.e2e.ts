import { readFileSync, rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { at, library } from "./library.js";
import { workplace } from "./product.js";

const AS_OF = "2026-08-03";
const asked = { job: "refunds", as_of: AS_OF, inputs: `exports/${AS_OF}` };

const places: string[] = [];
const place = (): string => {
  const cwd = workplace();
  places.push(cwd);
  return cwd;
};
afterEach(() => {
  for (const cwd of places.splice(0)) rmSync(cwd, { recursive: true });
});

async function artefacts(cwd: string, threads: number): Promise<Record<string, string>> {
  const { runJob } = await library();
  const options = { cwd, settings: { ...at(cwd).settings, "engine.threads": `${threads}` } };
  const run = await runJob(asked, options);
  return Object.fromEntries(run.artefacts.map((a) => [a.path, a.sha256]));
}

test("1, 2 and 4 threads give the same bytes of every artefact (I010)", {
  timeout: 300_000,
}, async () => {
  const one = await artefacts(place(), 1);
  expect(Object.keys(one)).toEqual(["discrepancies.csv", "seller_summary.xlsx"]);
  expect(await artefacts(place(), 2)).toEqual(one);
  expect(await artefacts(place(), 4)).toEqual(one);
});

test("the order of an input's rows changes no byte of an artefact (I010)", {
  timeout: 300_000,
}, async () => {
  const [ordered, shuffled] = [place(), place()];
  for (const file of ["refunds.csv", "ledger.csv"]) shuffle(`${shuffled}/exports/${AS_OF}/${file}`);
  const expected = await artefacts(ordered, 1);
  expect(await artefacts(shuffled, 4)).toEqual(expected);
});

function shuffle(path: string): void {
  const [header = "", ...rows] = readFileSync(path, "utf8").trimEnd().split("\n");
  const [mixed = []] = fc.sample(fc.shuffledSubarray(rows, { minLength: rows.length }), {
    seed: 20260803,
    numRuns: 1,
  });
  expect(mixed).not.toEqual(rows);
  writeFileSync(path, `${[header, ...mixed].join("\n")}\n`);
}
