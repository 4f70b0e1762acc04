import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import type { Engine } from "../../src/engines/engine.js";
import type { ColumnName } from "../../src/model/ids.js";
import { RelationRef } from "../../src/model/ids.js";
import type { Relation } from "../../src/model/relation.js";
import { at } from "./relations.js";

/** SELECTs whose orders have ties over the tables below. */
const TIED = [
  "SELECT refund_id, amount FROM r ORDER BY amount LIMIT 3",
  "SELECT refund_id FROM r ORDER BY amount DESC LIMIT 2 OFFSET 1",
  "SELECT * FROM r ORDER BY amount LIMIT 3",
  "SELECT DISTINCT seller, amount FROM r ORDER BY amount LIMIT 2",
  "SELECT DISTINCT * FROM r ORDER BY amount LIMIT 2",
  "SELECT refund_id FROM r UNION ALL SELECT seller FROM l ORDER BY 1 LIMIT 4",
  "SELECT * FROM l UNION ALL SELECT seller, amount FROM r ORDER BY balance LIMIT 4",
  "SELECT sum(amount) AS s FROM (SELECT amount, seller FROM r ORDER BY seller LIMIT 3) AS t",
  "SELECT seller, count(*) AS n FROM r GROUP BY seller ORDER BY n LIMIT 1",
  "SELECT refund_id, row_number() OVER (ORDER BY amount) AS n FROM r",
  "SELECT refund_id, row_number() OVER (PARTITION BY seller ORDER BY amount DESC) AS n FROM r QUALIFY n = 1",
  "SELECT * FROM r QUALIFY row_number() OVER (PARTITION BY seller ORDER BY amount) = 1",
  "SELECT x.refund_id, y.balance, lag(y.balance) OVER (ORDER BY x.amount) AS before FROM r AS x JOIN l AS y ON x.seller = y.seller",
  "SELECT refund_id, first_value(refund_id) OVER (PARTITION BY seller ORDER BY amount) AS f, last_value(refund_id) OVER (ORDER BY amount) AS z FROM r",
  "SELECT refund_id, sum(amount) OVER (ORDER BY seller ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running FROM r",
  "SELECT refund_id, ntile(2) OVER (ORDER BY amount) AS half, rank() OVER (ORDER BY amount) AS place FROM r",
  "SELECT seller, string_agg(refund_id, ',' ORDER BY amount) AS ids FROM r GROUP BY seller",
  "SELECT seller, string_agg(DISTINCT refund_id, ',' ORDER BY refund_id) AS ids FROM r GROUP BY seller",
  "SELECT seller, string_agg('x', ',' ORDER BY amount) AS xs FROM r GROUP BY seller, 'y'",
  "SELECT seller, sum(amount) AS total, row_number() OVER (ORDER BY count(*)) AS n FROM r GROUP BY seller",
  "SELECT seller AS s, row_number() OVER (ORDER BY sum(amount)) AS n FROM r GROUP BY 1",
  "WITH t AS (SELECT seller, sum(amount) AS total FROM r GROUP BY ALL) SELECT seller, row_number() OVER (ORDER BY total) AS n FROM t",
  "SELECT refund_id, (SELECT balance FROM l WHERE l.seller = r.seller ORDER BY l.seller LIMIT 1) AS b FROM r",
  "SELECT r.refund_id FROM r SEMI JOIN l USING (seller) QUALIFY row_number() OVER (ORDER BY r.amount) <= 2",
  "SELECT a, row_number() OVER (ORDER BY b) AS n FROM (VALUES ('x', 1), ('y', 1)) AS v(a, b)",
] as const;

/** Orders with ties that SQL gives no row a name in. */
const UNNAMED = [
  ["SELECT seller, row_number() OVER (ORDER BY count(*)) AS n FROM r GROUP BY ALL", "CTE"],
  [
    "SELECT seller, row_number() OVER (ORDER BY count(*)) AS n FROM r GROUP BY ROLLUP (seller)",
    "CTE",
  ],
  [
    "SELECT a, row_number() OVER (ORDER BY b) AS n FROM (VALUES ('x', 1)), (VALUES (2)) AS w(b)",
    "AS t",
  ],
  ["SELECT row_number() OVER (ORDER BY amount) AS n FROM r AS seller", "AS t"],
  ["SELECT seller AS r, row_number() OVER (ORDER BY amount) AS n FROM r", "AS t"],
  ["SELECT DISTINCT * EXCLUDE (refund_id) FROM r ORDER BY amount LIMIT 1", "name the columns"],
] as const;

const dir = mkdtempSync(`${tmpdir()}/tieout-orders-`);
const engines: Engine[] = [];
let made = 0;
beforeAll(async () => {
  for (const threads of [1, 4]) engines.push(await duckdbInline({ temp: dir, threads }));
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
  rmSync(dir, { recursive: true, force: true });
});

type Row = readonly [string, string, number];
const row = fc.tuple(
  fc.constantFrom("a", "b", "c", "d"),
  fc.constantFrom("s1", "s2"),
  fc.integer({ min: 0, max: 2 }),
);
const rows = fc.array(row, { minLength: 1, maxLength: 12 });

/** The rows as a Parquet file in just their order. */
async function relation(
  name: string,
  columns: readonly (readonly [string, string])[],
  values: string[],
): Promise<Relation> {
  const [engine] = engines;
  const path = at(dir, `${++made}.parquet`);
  const list = columns.map(([c, t]) => `CAST(${c} AS ${t}) AS ${c}`).join(", ");
  const names = columns.map(([c]) => c).join(", ");
  const sql = `SELECT ${list} FROM (VALUES ${values.join(", ")}) AS v(${names})`;
  const file = { params: [], relations: [], sources: [], to: path, format: "parquet" } as const;
  const written = await engine?.render({ sql, ...file });
  return {
    name: RelationRef.parse(name),
    columns: columns.map(([c, t]) => ({ name: c as ColumnName, type: TYPES[t] ?? "text" })),
    files: [{ path, format: "parquet" }],
    rows: written?.rows ?? 0,
  };
}
const TYPES: Readonly<Record<string, string>> = { "DECIMAL(18,2)": "decimal(18,2)" };

async function tables(of: readonly Row[]): Promise<Relation[]> {
  const r = of.map(([id, seller, amount]) => `('${id}', '${seller}', ${amount})`);
  const l = of.map(([, seller, amount]) => `('${seller}', ${amount + 1})`);
  return [
    await relation(
      "r",
      [
        ["refund_id", "VARCHAR"],
        ["seller", "VARCHAR"],
        ["amount", "DECIMAL(18,2)"],
      ],
      r,
    ),
    await relation(
      "l",
      [
        ["seller", "VARCHAR"],
        ["balance", "DECIMAL(18,2)"],
      ],
      l,
    ),
  ];
}

async function bytes(engine: Engine, sql: string, relations: readonly Relation[]): Promise<string> {
  const to = at(dir, `${++made}.csv`);
  await engine.evaluate({
    sql,
    relations,
    columns: null,
    order_by: [],
    to,
    format: "csv",
    allow: [],
  });
  return readFileSync(to, "utf8");
}

describe("ties pick the same rows, whatever the order of the sources and the threads (I010)", () => {
  test.each(TIED)("%s", { timeout: 60_000 }, async (sql) => {
    const shuffled = rows.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([ordered, other]) => {
        const [one, four] = engines;
        if (one === undefined || four === undefined) throw new Error("no engine");
        const expected = await bytes(one, sql, await tables(ordered));
        expect(await bytes(four, sql, await tables(other))).toBe(expected);
      }),
      { numRuns: 3, seed: 20260810 },
    );
  });
});

describe("where SQL cannot say what a row is, an order that counts rows is refused", () => {
  test.each(UNNAMED)("%s", async (sql, remedy) => {
    const [engine] = engines;
    const evaluated =
      engine === undefined ? "" : bytes(engine, sql, await tables([["a", "s1", 1]]));
    await expect(evaluated).rejects.toMatchObject({
      code: "REFUSED",
      remedy: expect.stringContaining(remedy),
    });
  });
});

test("an order without LIMIT and a rank stay as they were written", async () => {
  const [engine] = engines;
  const sql = "SELECT refund_id, rank() OVER (ORDER BY amount) AS p FROM r ORDER BY amount";
  const vetted = await engine?.vet(sql, [RelationRef.parse("r")]);
  expect(vetted?.sql).not.toMatch(/COLUMNS|, r\b/);
});

test("an amount of 17 digits in the SQL is the same after its orders were made total", async () => {
  const [engine] = engines;
  const sql =
    "SELECT 90071992547409.93 AS x, 9007199254740993 AS y, r.amount FROM r ORDER BY amount LIMIT 1";
  const vetted = await engine?.vet(sql, [RelationRef.parse("r")]);
  expect(vetted?.sql).toContain("90071992547409.93");
  expect(vetted?.sql).toContain("9007199254740993 AS y");
});
