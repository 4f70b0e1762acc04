import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { INVARIANTS } from "../src/model/invariants.js";
import { breaksOf } from "./checker/check.js";
import { exampleIn } from "./checker/example.js";
import { EXAMPLES, wholeTrace } from "./checker/examples.js";
import { journal, wholeFolder, wholeLedger, wholeStore } from "./checker/whole.js";

const root = fileURLToPath(new URL("../fixtures/broken", import.meta.url));
const folders = readdirSync(root);

describe("a broken example is reported by the number of what it breaks, and by no other", () => {
  test.each(folders)("%s", async (folder) => {
    expect(await breaksOf(exampleIn(`${root}/${folder}`))).toEqual([folder.slice(0, 4)]);
  });
});

describe("what is whole is not reported", () => {
  test.each([
    ["a run folder", wholeFolder()],
    ["a store", wholeStore()],
    ["a store with a ledger", wholeLedger()],
    ["a trace", new Map([["trace.txt", wholeTrace]])],
    ["a journal", new Map([["journal.jsonl", journal]])],
    ["a journal with a torn last line", new Map([["journal.jsonl", journal.slice(0, -9)]])],
    ["a SELECT of the run's relations", new Map([["query.sql", "SELECT seller_id FROM refunds"]])],
  ])("%s", async (_, example) => {
    expect(await breaksOf(example)).toEqual([]);
  });
});

test("every invariant has a broken example, and every example an invariant", () => {
  const ids = INVARIANTS.map(({ id }) => id);
  expect([...new Set(folders.map((folder) => folder.slice(0, 4)))].sort()).toEqual(ids);
});

test("an invariant is one sentence, and its number is given once and in order", () => {
  const ids = INVARIANTS.map(({ id }) => id);
  expect([...new Set(ids)].sort()).toEqual(ids);
  for (const { says } of INVARIANTS) expect(says).toMatch(/^[A-Z][^.]*\.$/);
});

test("the examples on disk are those that the maker writes", () => {
  expect(folders.sort()).toEqual([...EXAMPLES.keys()].sort());
  for (const [folder, example] of EXAMPLES)
    expect([...exampleIn(`${root}/${folder}`)].sort()).toEqual([...example].sort());
});
