import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import type { Engine } from "../../src/engines/engine.js";
import { isTieout } from "../../src/model/errors.js";
import { RelationRef } from "../../src/model/ids.js";
import type { Relation } from "../../src/model/relation.js";
import { at, ledger, refunds } from "./relations.js";
import { ATTACKS, HOLES, LEGITIMATE, REFUSED } from "./sql.js";

const INPUTS = new URL("../../../shared/inputs/attacks.json", import.meta.url);
const dir = mkdtempSync(`${tmpdir()}/tieout-gate-`);
const outside = mkdtempSync(`${tmpdir()}/tieout-outside-`);
let engine: Engine;
let relations: Relation[];

beforeAll(async () => {
  engine = await duckdbInline({ temp: dir, threads: 2 });
  relations = [await refunds(engine, dir), await ledger(engine, dir)];
  writeFileSync(`${outside}/secret.csv`, "a\nsecret\n");
});
afterAll(async () => {
  await engine.close();
  for (const d of [dir, outside]) rmSync(d, { recursive: true, force: true });
});

const names = () => relations.map((r) => r.name);
const evaluate = (sql: string, to: string) =>
  engine.evaluate({
    sql,
    relations,
    columns: null,
    order_by: [],
    to: at(dir, to),
    format: "csv",
    allow: [],
  });

describe("no statement of an attack runs", () => {
  const given: { name: string; sql: string }[] = existsSync(INPUTS)
    ? JSON.parse(readFileSync(INPUTS, "utf8"))
    : [];
  test.skipIf(given.length === 0)("the given list is present (skipped: no shared inputs)", () => {
    expect(given.length).toBeGreaterThan(50);
  });
  const filled = [...given, ...ATTACKS].map(({ name, sql }) => ({
    name,
    sql: sql.replaceAll("{in}", dir).replaceAll("{out}", dir).replaceAll("{outside}", outside),
  }));
  test.each(filled)("$name", async ({ sql }) => {
    const before = [snapshot(dir), snapshot(outside)];
    const error = await evaluate(sql, "attack.csv").then(
      () => "it ran",
      (e: unknown) => e,
    );
    expect(isTieout(error) ? error.code : error).toMatch(
      /^(NOT_A_SELECT|NOT_ONE_STATEMENT|REFUSED|UNKNOWN_RELATION|SQL)$/,
    );
    expect(JSON.stringify(error)).not.toContain(dir);
    expect(JSON.stringify(error)).not.toContain("secret\\n");
    expect([snapshot(dir), snapshot(outside)]).toEqual(before);
  });
});

describe("a name means one thing only, whatever the scope", () => {
  test.each(HOLES)("%s", async (sql) => {
    const previous = RelationRef.parse("previous.refunds");
    await expect(engine.vet(sql, [...names(), previous])).rejects.toMatchObject({
      code: expect.stringMatching(/^(REFUSED|UNKNOWN_RELATION)$/),
    });
  });
});

describe("what would differ between two runs, round, or run away is refused with a remedy", () => {
  test.each(REFUSED)("%s", async (sql, remedy) => {
    await expect(evaluate(sql, "refused.csv")).rejects.toMatchObject({
      code: "REFUSED",
      remedy: expect.stringContaining(remedy),
    });
  });
});

describe("a reconciliation's SELECT is accepted and runs", () => {
  test.each(LEGITIMATE.map((sql, i) => [i, sql] as const))("%i: %s", async (i, sql) => {
    const done = await evaluate(sql, `ok-${i}.csv`);
    expect(done.rows).toBe(
      (await engine.ask({ sql, params: [], relations, limit: 1_000_000 })).rows.length,
    );
  });
});

test("reads are the relations that the SELECT names, each once, in the run's order", async () => {
  const { reads } = await engine.vet(
    "WITH x AS (SELECT * FROM ledger) SELECT * FROM x JOIN REFUNDS r USING (seller_id), ledger",
    names(),
  );
  expect(reads).toEqual(["refunds", "ledger"]);
});

test("a CTE may be named as a relation of the previous run is: the schema tells them apart", async () => {
  const previous = RelationRef.parse("previous.open_items");
  const sql = "WITH open_items AS (SELECT * FROM previous.open_items) SELECT * FROM open_items";
  expect((await engine.vet(sql, [previous])).reads).toEqual([previous]);
});

test("what runs is regenerated from the tree: comments and tails are gone", async () => {
  const { sql } = await engine.vet("SELECT 1 AS a -- ) TO '/x'; COPY (SELECT 1", names());
  expect(sql).toBe("SELECT 1 AS a");
});

test("a refusal says line and column of the place in the SQL, counted in characters", async () => {
  await expect(engine.vet("SELECT 'é',\n  'ü', random()", names())).rejects.toMatchObject({
    subject: "sql:2:8",
    at: { line: 2, column: 8 },
  });
});

test("an unknown relation is answered with the nearest one", async () => {
  await expect(engine.vet("SELECT * FROM refund", names())).rejects.toMatchObject({
    code: "UNKNOWN_RELATION",
    remedy: "perhaps you mean refunds",
    at: { line: 1, column: 15 },
  });
});

test("SQL is at most 20,000 bytes and 5,000 nodes", async () => {
  const long = `SELECT '${"é".repeat(10_000)}'`;
  await expect(engine.vet(long, [])).rejects.toMatchObject({ code: "REFUSED" });
  const wide = `SELECT ${Array.from({ length: 5_000 }, () => "1").join(",")}`;
  await expect(engine.vet(wide, [])).rejects.toMatchObject({ code: "REFUSED" });
  const fits = `SELECT ${Array.from({ length: 4_990 }, () => "1").join(",")}`;
  await expect(engine.vet(fits, [])).resolves.toBeDefined();
});

test("a job may allow a further function, never one that is volatile or reaches outside", async () => {
  const allow = ["levenshtein", "random", "current_setting", "read_text", "error", "avg"];
  await expect(engine.vet("SELECT levenshtein('a', 'b')", [], allow)).resolves.toBeDefined();
  for (const sql of [
    "SELECT random()",
    "SELECT current_setting('temp_directory')",
    "FROM read_text('/etc/passwd')",
    "SELECT error('x')",
    "SELECT avg(x) FROM (VALUES (1)) t(x)",
  ])
    await expect(engine.vet(sql, [], allow)).rejects.toMatchObject({ code: "REFUSED" });
});

function snapshot(folder: string): string[] {
  return readdirSync(folder).map(
    (f) => `${f} ${readFileSync(`${folder}/${f}`).toString("base64")}`,
  );
}
