import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenBench, openBench } from "./bench.js";
import { type Night, nightOf, nightRow } from "./nights.js";
import { type Outcome, rowsOf, runJob } from "./workbench.js";

const NIGHTS = ["2021-07-04", "2021-07-06", "2021-07-07"] as const;
const KEY = ["month_billed", "bill_authority", "bill_library", "item_type", "bill_reason"];
const folder = fileURLToPath(new URL("../../fixtures/library-bills/", import.meta.url));

interface Side {
  readonly number_of_bills: string;
  readonly total_billed: string;
}
interface Change {
  readonly kind: string;
  readonly key: readonly string[];
  readonly old: Side | null;
  readonly new: Side | null;
}
type Expected = Night & { readonly changes: readonly Change[] };
const expected = (night: string): Expected =>
  JSON.parse(readFileSync(`${folder}expected/${night}.json`, "utf8"));

/** A value and its marker, as two cells: `*` is no number, and a side that is not there has neither. */
const cells = (value: string | undefined): (string | null)[] =>
  value === "*" ? [null, "*"] : [value ?? null, null];
const changeRow = ({ kind, key, old, new: now }: Change): (string | null)[] => [
  kind,
  ...key,
  ...cells(old?.number_of_bills),
  ...cells(now?.number_of_bills),
  ...cells(old?.total_billed),
  ...cells(now?.total_billed),
];
async function changesOf(outcome: Outcome, bench: OpenBench) {
  const relation = outcome.relations.get("changes");
  return relation ? rowsOf(relation, KEY, bench.engine) : [];
}

let bench: OpenBench;
const outcomes: Outcome[] = [];
beforeAll(async () => {
  bench = await openBench();
  for (const night of NIGHTS)
    outcomes.push(
      await runJob("library-bills", night, folder + night, outcomes.at(-1) ?? null, bench),
    );
}, 60_000);
afterAll(() => bench.close());

describe.each([...NIGHTS.entries()])("night %i, %s", (n, night) => {
  const outcome = (): Outcome => {
    const found = outcomes[n];
    if (!found) throw new Error(`no run of ${night}`);
    return found;
  };

  test("lists each change with its old and new value, stars included, and no other", async () => {
    const rows = await changesOf(outcome(), bench);
    expect(rows.map((r) => r.slice(0, -2))).toEqual(expected(night).changes.map(changeRow));
  });

  test("rolls forward from the night before to the independent count", async () => {
    const before = NIGHTS[n - 1];
    const row = nightRow(expected(night), before ? expected(before) : null);
    expect(await nightOf(outcome(), bench.engine)).toEqual([row]);
  });

  test("passes every check", () => {
    expect(outcome().faults).toEqual([]);
  });
});

describe("between two nights", () => {
  const text = readFileSync(`${folder}${NIGHTS[0]}/bills.csv`, "utf8");

  /** The job on the first night's rows, rewritten, as the night after it. */
  async function nextNight(rewritten: string): Promise<Outcome> {
    expect(rewritten).not.toBe(text);
    const inputs = bench.folder();
    writeFileSync(`${inputs}/bills.csv`, rewritten);
    const at = { ...bench, root: bench.folder() };
    return runJob("library-bills", NIGHTS[1], inputs, outcomes[0] ?? null, at);
  }

  test("another spelling of an amount or another order of the rows is no change", async () => {
    const [header, ...rows] = text.trimEnd().split("\n");
    const padded = rows.reverse().map((row) => row.replace(/,(\d+)$/, ",$1.00"));
    const outcome = await nextNight([header, ...padded, ""].join("\n"));
    expect(await changesOf(outcome, bench)).toEqual([]);
  });

  test("a key that comes twice is found", async () => {
    const [, row] = text.split("\n");
    expect((await nextNight(`${text}${row}\n`)).faults.join()).toContain("bills.key_unique");
  });
});
