import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Column } from "../../src/model/columns.js";
import { estimateTokens } from "../../src/model/estimate.js";
import { ColumnName } from "../../src/model/ids.js";
import { AggregateAnswer, type AggregateInput } from "../../src/model/read.js";
import type { Relation } from "../../src/model/relation.js";
import { aggregate } from "../../src/queries/aggregate.js";
import { columnsOf } from "./pages.js";
import { type Workbench, workbench } from "./relations.js";

let bench: Workbench;
let ledger: Relation;

const COLUMNS: Column[] = (
  [
    ["seller", "text"],
    ["currency", "text"],
    ["amount", "money(by currency)"],
    ["fee", "money(USD)"],
    ["units", "integer"],
    ["rate", "decimal(12,4)"],
    // A column may be called as an alias of ours would be.
    ["rows", "text"],
  ] as const
).map(([name, type]) => ({ name: ColumnName.parse(name), type }));

beforeAll(async () => {
  bench = await workbench();
  ledger = await bench.table("ledger", COLUMNS, [
    ["a", "USD", "10.50", "0.10", "1", "0.5000", "x"],
    ["a", "JPY", "1000", "0.20", "2", null, "x"],
    ["b", "USD", "-3.25", null, "4", "0.2500", "y"],
    ["b", "???", "1.2345", "0.30", null, "0.1250", null],
    [null, "USD", null, "0.40", "3", "1.0000", "y"],
  ]);
});
afterAll(() => bench.close());

async function ask(input: Omit<AggregateInput, "relation">, relation = ledger) {
  const answer = await aggregate(
    relation,
    { relation: relation.name, ...input },
    { engine: bench.engine, tag: "" },
  );
  expect(AggregateAnswer.strict().parse(answer)).toEqual(answer);
  expect(answer.estimated_tokens).toBe(estimateTokens(JSON.stringify(answer)));
  return answer;
}

describe("aggregate", () => {
  test.each<[Omit<AggregateInput, "relation">, object]>([
    [{ fn: "count" }, { value: 5, null_count: 0 }],
    [
      { fn: "count", column: "units" },
      { value: 4, null_count: 1 },
    ],
    [
      { fn: "count_null", column: "units" },
      { value: 1, null_count: 1 },
    ],
    [
      { fn: "count_distinct", column: "rows" },
      { value: 2, null_count: 1 },
    ],
    [{ fn: "sum", column: "units" }, { value: "10" }],
    [
      { fn: "sum", column: "fee" },
      { value: "1.00", unit: "USD", null_count: 1 },
    ],
    [
      { fn: "max", column: "fee" },
      { value: "0.40", unit: "USD" },
    ],
    [{ fn: "min", column: "seller" }, { value: "a" }],
    [
      { fn: "avg", column: "units" },
      { value: "2.5000", exact: false },
    ],
    [
      { fn: "avg", column: "rate" },
      { value: "0.46875000", exact: false },
    ],
  ])("%o answers %o", async (input, expected) => {
    const answer = await ask(input);
    expect(answer).toMatchObject({ rows_total: 5, rows_matched: 5, truncated: false, ...expected });
    expect(answer.groups).toBeUndefined();
  });

  test("never adds amounts of two currencies, and gives each its own decimals", async () => {
    const answer = await ask({ fn: "sum", column: "amount" });
    expect(answer.value).toBeUndefined();
    expect(answer.by).toEqual(["currency"]);
    expect(answer.groups).toEqual([
      { by: ["JPY"], value: "1000", unit: "JPY", rows: 1, null_count: 0 },
      { by: ["USD"], value: "7.25", unit: "USD", rows: 3, null_count: 1 },
      { by: ["???"], value: "1.2345", unit: null, rows: 1, null_count: 0 },
    ]);
  });

  test("keeps the currency a key beside the columns that were asked for, once", async () => {
    const by = await ask({ fn: "sum", column: "amount", by: ["seller"] });
    expect(by.by).toEqual(["seller", "currency"]);
    expect(by.groups_total).toBe(5);
    const same = await ask({ fn: "max", column: "amount", by: ["currency"] });
    expect(same.by).toEqual(["currency"]);
  });

  test("groups nulls as a group of their own", async () => {
    const answer = await ask({ fn: "count", by: ["rows"] });
    expect(answer.groups?.map(({ by, value }) => [by, value])).toEqual([
      [["x"], 2],
      [["y"], 2],
      [[null], 1],
    ]);
  });

  test("answers null and not zero over no rows, and zero for a count", async () => {
    const all = [{ column: "units", op: "gt" as const, value: 100 }];
    const sum = await ask({ fn: "sum", column: "fee", all });
    expect(sum).toMatchObject({ value: null, rows_matched: 0, null_count: 0, unit: "USD" });
    expect(await ask({ fn: "avg", column: "units", all })).toMatchObject({ value: null });
    expect(await ask({ fn: "count", all })).toMatchObject({ value: 0 });
    expect(await ask({ fn: "sum", column: "amount", all })).toMatchObject({
      value: null,
      groups: [],
      groups_total: 0,
    });
  });

  test("counts all groups and all rows when it shows some groups", async () => {
    const many = await bench.select(
      "many",
      columnsOf(["text", "integer"]),
      "SELECT 'group ' || (i % 700) AS a0, CAST(i AS BIGINT) AS a1 FROM range(7000) AS r(i)",
    );
    const answer = await ask({ fn: "max", column: "a1", by: ["a0"] }, many);
    expect(answer).toMatchObject({
      rows_matched: 7000,
      groups_total: 700,
      truncated: true,
      truncated_by: expect.arrayContaining(["groups"]),
    });
    expect(answer.groups?.[0]).toMatchObject({ by: ["group 699"], value: "6999", rows: 10 });
    expect(answer.estimated_tokens).toBeLessThanOrEqual(2000);
    expect(answer.notice).toContain(
      `${answer.groups?.length} of 700 groups, the greatest value first`,
    );
  });

  test("clips a long value or key, and always shows one group", async () => {
    const long = await bench.select(
      "long",
      columnsOf(["text", "text"]),
      "SELECT repeat('金', 100000) AS a0, repeat('é', 100000) AS a1",
    );
    expect((await ask({ fn: "min", column: "a1" }, long)).value).toEqual({
      clipped: "é".repeat(200),
      chars: 100_000,
    });
    const answer = await aggregate(
      long,
      { relation: long.name, fn: "min", column: "a1", by: ["a0"] },
      { engine: bench.engine, tag: "", caps: { tokens: 900 } },
    );
    expect(answer).toMatchObject({ truncated_by: ["cells"], cells_clipped: 2, groups_total: 1 });
    expect(answer.groups).toHaveLength(1);
  });

  test.each<[Omit<AggregateInput, "relation">, string, RegExp]>([
    [{ fn: "avg", column: "fee" }, "BAD_VALUE", /money_div/],
    [{ fn: "avg", column: "amount" }, "BAD_VALUE", /money_div/],
    [{ fn: "sum", column: "seller" }, "BAD_VALUE", /count_distinct/],
    [{ fn: "sum" }, "BAD_VALUE", /column/],
    [{ fn: "sum", column: "fees" }, "UNKNOWN_COLUMN", /use fee/],
    [{ fn: "count", by: ["sellers"] }, "UNKNOWN_COLUMN", /use seller/],
  ])("%o is refused as %s with a remedy", async (input, code, remedy) => {
    await expect(ask(input)).rejects.toMatchObject({
      code,
      remedy: expect.stringMatching(remedy),
    });
  });
});
