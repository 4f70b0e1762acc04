import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine, Evaluation } from "../src/engines/engine.js";
import type { Path, RelationRef } from "../src/model/ids.js";
import type { Order, Relation, RelationFile } from "../src/model/relation.js";
import { at, columns, ledger, refunds } from "./engines/relations.js";

export interface EngineBench {
  /** An engine that spills into `temp`; `threads` cores. */
  readonly open: (temp: string, threads: number) => Promise<Engine>;
  /** How often the round trip of random cells runs. */
  readonly runs: number;
}

const down = (column: string, abs = false): Order => ({ column, abs, down: true });

/** What every engine must do; each adapter's test file runs it. */
export function engineContract({ open, runs }: EngineBench): void {
  const dir = mkdtempSync(`${tmpdir()}/tieout-engine-`);
  let engine: Engine;
  let left: Relation;
  let right: Relation;
  let files = 0;
  beforeAll(async () => {
    engine = await open(dir, 2);
    [left, right] = [await refunds(engine, dir), await ledger(engine, dir)];
  });
  afterAll(async () => {
    await engine.close();
    await engine.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const fresh = (ending = "csv"): Path => at(dir, `${files++}.${ending}`);
  const evaluate = (sql: string, more: Partial<Evaluation> = {}, by: Engine = engine) =>
    by.evaluate({
      sql,
      relations: [left, right],
      columns: null,
      order_by: [],
      to: fresh(more.format ?? "csv"),
      format: "csv",
      allow: [],
      ...more,
    });
  const csv = async (sql: string, more: Partial<Evaluation> = {}): Promise<string> => {
    const to = fresh();
    await evaluate(sql, { ...more, to });
    return readFileSync(to, "utf8");
  };
  const cells = async (sql: string, relations: readonly Relation[]) =>
    (await engine.ask({ sql, params: [], relations, limit: 10_000 })).rows;
  const named = (name: string, types: Record<string, string>, files: RelationFile[]): Relation => ({
    name: name as RelationRef,
    columns: columns(types),
    files,
    rows: 0,
  });
  const put = (text: string | Uint8Array, ending = "csv"): Path => {
    const path = fresh(ending);
    writeFileSync(path, text);
    return path;
  };

  describe("evaluate", () => {
    test("a file's rows are in the declared order, made total by every other column, nulls last", async () => {
      const text = await csv("SELECT seller_id, amount FROM refunds", {
        order_by: [down("amount", true)],
      });
      expect(text).toBe("seller_id,amount\ns4,99.99\ns1,10.50\ns1,-2.25\ns2,0.01\n,\n");
      expect(await csv("SELECT seller_id, amount FROM refunds")).toBe(
        "seller_id,amount\ns1,-2.25\ns1,10.50\ns2,0.01\ns4,99.99\n,\n",
      );
    });

    test("order is by value, not by text", async () => {
      const text = await csv("SELECT n FROM (VALUES (10), (9), (-1)) t(n)", {
        columns: columns({ n: "integer" }),
      });
      expect(text).toBe("n\n-1\n9\n10\n");
    });

    test("every value is canonical text, and no value differs from an empty one", async () => {
      const sql = `SELECT 1.5 AS amount, 7 AS n, DATE '2026-01-02' AS d, true AS b, '' AS empty, 'a"b' AS quoted,
        TIMESTAMP '2026-01-02 03:04:05' AS whole, TIMESTAMP '2026-01-02 03:04:05.06' AS part,
        TIMESTAMPTZ '2026-01-02 03:04:05+02' AS zoned, NULL::VARCHAR AS none`;
      const types = {
        amount: "money(USD)",
        n: "integer",
        d: "date",
        b: "boolean",
        empty: "text",
        quoted: "text",
        whole: "timestamp",
        part: "timestamp(Europe/Paris)",
        zoned: "timestamp",
        none: "text",
      };
      expect((await csv(sql, { columns: columns(types) })).split("\n")[1]).toBe(
        '1.50,7,2026-01-02,true,"","a""b",2026-01-02T03:04:05Z,2026-01-02T03:04:05.060000Z,2026-01-02T01:04:05Z,',
      );
    });

    test("rows and reads are told; columns come in the declared order whatever the SELECT's", async () => {
      const to = fresh();
      const declared = columns({ seller_id: "text", total: "money(USD)" });
      const done = await evaluate(
        "SELECT sum(amount) AS total, seller_id FROM refunds GROUP BY seller_id",
        { columns: declared, to },
      );
      expect(done).toEqual({ rows: 4, columns: declared, reads: ["refunds"] });
      expect(readFileSync(to, "utf8")).toMatch(/^seller_id,total\n/);
    });

    test("missing and undeclared columns are all named, with the nearest declared one", async () => {
      const declared = columns({ seller_id: "text", total: "money(USD)", n: "integer" });
      await expect(
        evaluate("SELECT seller_id, amount AS totl, refund_id FROM refunds", { columns: declared }),
      ).rejects.toMatchObject({
        code: "COLUMN_MISMATCH",
        message: "the SELECT lacks total, n and has undeclared totl, refund_id",
        remedy: expect.stringContaining("totl AS total"),
      });
    });

    test("a value that would be rounded or overflow is counted by column, and nothing is written", async () => {
      const to = fresh();
      const declared = columns({ amount: "money(USD)", n: "integer" });
      await expect(
        evaluate(
          "SELECT x AS amount, y AS n FROM (VALUES (1.005, 1.0), (1.000, 1.5), (2.001, 2.5)) t(x, y)",
          { columns: declared, to },
        ),
      ).rejects.toMatchObject({
        code: "INEXACT",
        at: { amount: 2, n: 2 },
        remedy: expect.stringContaining("CAST(<expression> AS DECIMAL(18,2))"),
      });
      await expect(
        evaluate("SELECT 10000000000000000.00 AS amount, 1 AS n", { columns: declared }),
      ).rejects.toMatchObject({ code: "INEXACT", at: { amount: 1 } });
      expect(existsSync(to)).toBe(false);
    });

    test("text is no money: the remedy is the cast to write", async () => {
      await expect(
        evaluate("SELECT '1.50' AS amount", { columns: columns({ amount: "money(USD)" }) }),
      ).rejects.toMatchObject({
        code: "COLUMN_MISMATCH",
        remedy: "write CAST(<expression> AS DECIMAL(18,2)) AS amount",
      });
    });

    test("undeclared columns take exact types, and unnamed or twin columns are refused", async () => {
      const sql = `SELECT 'a' AS t, 1 AS n, sum(1::BIGINT) AS h, 1.50 AS d, sum(1.50) AS s, DATE '2026-01-01' AS dt,
        TIMESTAMP '2026-01-01' AS ts, false AS b`;
      expect((await evaluate(sql)).columns.map((c) => c.type)).toEqual([
        "text",
        "integer",
        "decimal(28,0)",
        "decimal(3,2)",
        "decimal(28,2)",
        "date",
        "timestamp",
        "boolean",
      ]);
      for (const bad of [
        "SELECT 1 + 1",
        "SELECT 1 AS a, 2 AS A",
        "SELECT INTERVAL 1 DAY AS a",
        'SELECT 1 AS "A b"',
      ])
        await expect(evaluate(bad)).rejects.toMatchObject({ code: "COLUMN_MISMATCH" });
    });

    test("dates outside the calendar of canonical text are inexact", async () => {
      await expect(evaluate("SELECT DATE '0044-03-15 (BC)' AS d")).rejects.toMatchObject({
        code: "INEXACT",
      });
      await expect(evaluate("SELECT TIMESTAMP 'infinity' AS t")).rejects.toMatchObject({
        code: "INEXACT",
      });
    });

    test("a file that exists is never written to", async () => {
      const to = put("kept");
      await expect(evaluate("SELECT 1 AS a", { to })).rejects.toMatchObject({ code: "EXISTS" });
      expect(readFileSync(to, "utf8")).toBe("kept");
    });

    test("what may be read are the relations given, through no link", async () => {
      await expect(evaluate("SELECT * FROM ledger", { relations: [left] })).rejects.toMatchObject({
        code: "UNKNOWN_RELATION",
      });
      const link = fresh("parquet");
      symlinkSync(left.files[0]?.path ?? "", link);
      const linked = { ...left, files: [{ path: link, format: "parquet" as const }] };
      await expect(
        evaluate("SELECT * FROM refunds", { relations: [linked] }),
      ).rejects.toMatchObject({ code: "DAMAGED" });
    });

    test("an error tells neither a path nor a cell, and leaves no file", async () => {
      const secret = put("k\nsecret-cell\n");
      const relation = named("k", { k: "text" }, [{ path: secret, format: "csv" }]);
      for (const sql of [
        "SELECT CAST(k AS BIGINT) AS n FROM k",
        "SELECT CAST(k AS DATE) AS n FROM k",
        "SELECT strptime(k, '%Y') AS n FROM k",
        "SELECT 9223372036854775807 + length(k) AS n FROM k",
        "SELECT money_div(length(k), length(k) - 11, 2) AS n FROM k",
        "SELECT (SELECT x FROM (VALUES (1), (2)) t(x) WHERE k <> '') AS n FROM k",
      ]) {
        const to = fresh();
        const error = await evaluate(sql, { relations: [relation], to }).catch((e) => e);
        expect(error.code, `${sql} ${error}`).toBe("SQL");
        expect(JSON.stringify(error)).not.toMatch(/secret|tieout-engine/);
        expect(existsSync(to)).toBe(false);
      }
    });

    test("an unknown column is told with its place and the nearest one", async () => {
      await expect(evaluate("SELECT\n  amuont FROM refunds")).rejects.toMatchObject({
        code: "UNKNOWN_COLUMN",
        subject: "sql:2:3",
        remedy: "perhaps you mean amount",
      });
    });
  });

  describe("the same rows give the same bytes", () => {
    const sql = `SELECT seller, amount, note, count(*) OVER (PARTITION BY seller) AS n,
      string_agg(note, ',' ORDER BY note) OVER (PARTITION BY seller, amount ORDER BY note) AS notes FROM big`;
    const shuffled = async (salt: number): Promise<Relation> => {
      const path = fresh("parquet");
      const { rows } = await engine.render({
        sql: `SELECT CASE WHEN i % 7 = 0 THEN NULL ELSE 's' || (i % 97) END AS seller,
          CAST(i % 1000 - 500 AS DECIMAL(18,2)) / 1 * 0 + CAST((i % 1000 - 500) * 0.01 AS DECIMAL(18,2)) AS amount,
          'n' || (i % 13) AS note FROM range(200000) t(i) ORDER BY hash(i + ${salt})`.replace(
          "CAST(i % 1000 - 500 AS DECIMAL(18,2)) / 1 * 0 + ",
          "",
        ),
        params: [],
        relations: [],
        sources: [],
        to: path,
        format: "parquet",
      });
      expect(rows).toBe(200_000);
      const types = { seller: "text", amount: "money(USD)", note: "text" };
      return named("big", types, [{ path, format: "parquet" }]);
    };

    test.each(["csv", "parquet"] as const)(
      "%s, whatever the order of input rows and the number of threads",
      async (format) => {
        const hashes = new Set<string>();
        for (const [salt, threads] of [
          [1, 1],
          [2, 2],
          [3, 4],
        ] as const) {
          const by = await open(dir, threads);
          const to = fresh(format);
          const relations = [await shuffled(salt)];
          const done = await evaluate(sql, { relations, to, format, order_by: [down("n")] }, by);
          expect(done.rows).toBe(200_000);
          hashes.add(createHash("sha256").update(readFileSync(to)).digest("hex"));
          await by.close();
        }
        expect(hashes.size).toBe(1);
      },
      120_000,
    );
  });

  describe("relations", () => {
    test("an input's rows know their file and line, by position or by a column", async () => {
      const path = left.files[0]?.path ?? at(dir, "");
      const numbered = await relationWithLine();
      const input = named("input", { refund_id: "text" }, [
        { path, format: "parquet", source: "a.csv", first_line: 2 },
        { path: numbered, format: "parquet", source: "b.csv", first_line: null },
      ]);
      expect(await cells("SELECT * FROM input ORDER BY _file, _line LIMIT 7", [input])).toEqual([
        ["r1", "a.csv", "2"],
        ["r2", "a.csv", "3"],
        ["r3", "a.csv", "4"],
        ["r4", "a.csv", "5"],
        ["r5", "a.csv", "6"],
        ["x", "b.csv", "4"],
        ["y", "b.csv", "9"],
      ]);
    });
    const relationWithLine = async (): Promise<Path> => {
      const to = fresh("parquet");
      const sql = "SELECT * FROM (VALUES ('x', 4::BIGINT), ('y', 9)) t(refund_id, _line)";
      await engine.render({ sql, params: [], relations: [], sources: [], to, format: "parquet" });
      return to;
    };

    test("a CSV's record may have megabytes, as a text cell can", async () => {
      const to = fresh();
      const cell = `SELECT string_agg('0123456789abcdef', '' ORDER BY n) AS a FROM big`;
      const sql = "SELECT i AS n FROM range(200000) t(i)";
      const big = fresh("parquet");
      await engine.render({
        sql,
        params: [],
        relations: [],
        sources: [],
        to: big,
        format: "parquet",
      });
      const relation = named("big", { n: "integer" }, [{ path: big, format: "parquet" }]);
      await evaluate(cell, { relations: [relation], to });
      const back = named("back", { a: "text" }, [{ path: to, format: "csv" }]);
      expect(await cells("SELECT length(a) FROM back", [back])).toEqual([["3200000"]]);
    });

    test("a relation without files has its columns and no rows", async () => {
      const none = named("previous.refunds", { id: "text", amount: "money(USD)" }, []);
      expect(await csv("SELECT * FROM previous.refunds", { relations: [none] })).toBe(
        "id,amount\n",
      );
    });

    test("a text is seen as numbered lines without their line ends", async () => {
      const lines = async (text: string) =>
        cells("SELECT * FROM log.terminal ORDER BY line", [
          named("log.terminal", {}, [{ path: put(text, "txt"), format: "text" }]),
        ]);
      expect(await lines('a\r\n\n"b,c\nd')).toEqual([
        ["1", "a"],
        ["2", ""],
        ["3", '"b,c'],
        ["4", "d"],
      ]);
      expect(await lines("a\n")).toEqual([["1", "a"]]);
      expect(await lines("\n\n")).toEqual([
        ["1", ""],
        ["2", ""],
      ]);
      expect(await lines("")).toEqual([]);
    });

    test("what a CSV of ours says is read back as it was: quotes, line ends, blanks and nulls", async () => {
      const cell = fc.option(
        fc.oneof(
          fc.constantFrom(
            "",
            '"',
            '""',
            ",",
            "\n",
            "\r\n",
            "\r",
            " ",
            " a ",
            "NULL",
            "é€𝄞",
            "#",
            "\\",
            "a\\",
          ),
          fc.string({
            unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "'", "\\", "ß", "\t"),
          }),
        ),
        { nil: null },
      );
      const literal = (v: string | null) =>
        v === null
          ? "NULL"
          : `(${[...v].map((c) => `chr(${c.codePointAt(0)})`).join(" || ") || "''"})`;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 }),
          async (rows) => {
            const values = rows
              .map(([a, b], i) => `(${i}, ${literal(a)}, ${literal(b)})`)
              .join(",");
            for (const [sql, types] of [
              ["SELECT n, a, b FROM", { n: "integer", a: "text", b: "text" }],
              ["SELECT a FROM", { a: "text" }],
            ] as const) {
              const to = fresh();
              const made = await evaluate(`${sql} (VALUES ${values}) t(n, a, b)`, {
                columns: columns(types),
                to,
              });
              const back = named("back", types, [{ path: to, format: "csv" }]);
              const got = await cells("SELECT * FROM back", [back]);
              expect(made.rows).toBe(rows.length);
              const want = rows.map(([a, b], i) => ("n" in types ? [String(i), a, b] : [a]));
              if ("n" in types) expect(got).toEqual(want);
              else expect(new Map(count(got))).toEqual(new Map(count(want)));
            }
          },
        ),
        { numRuns: runs },
      );
    }, 120_000);
    const count = (rows: readonly (readonly (string | null)[])[]) => {
      const seen = new Map<string, number>();
      for (const r of rows) seen.set(JSON.stringify(r), (seen.get(JSON.stringify(r)) ?? 0) + 1);
      return seen;
    };
  });

  describe("questions of ours", () => {
    test("parameters are bound as text and cast by the dialect", async () => {
      const q = engine.dialect;
      const sql = `SELECT ${q.param(1, { kind: "text" })} AS t, ${q.param(2, {
        kind: "decimal",
        precision: 18,
        scale: 2,
      })} AS d, ${q.param(3, { kind: "timestamp", zone: "UTC" })} AS at`;
      const params = ["it's $1; --", "1.50", "2026-01-02T03:04:05.060000Z"];
      const table = await engine.ask({ sql, params, relations: [], limit: 1 });
      expect(table.rows).toEqual([params]);
      expect(table.columns.map((c) => c.type)).toEqual(["text", "decimal(18,2)", "timestamp"]);
    });

    test("ask gives at most its limit of rows, in the question's order", async () => {
      const sql = "SELECT * FROM range(5000) t(i) ORDER BY i DESC";
      const table = await engine.ask({ sql, params: [], relations: [], limit: 3 });
      expect(table.rows).toEqual([["4999"], ["4998"], ["4997"]]);
      const none = await engine.ask({ sql, params: [], relations: [], limit: 0 });
      expect(none.rows).toEqual([]);
    });

    test("stream gives every row once, in order, in batches of at most 2,048; it may be left", async () => {
      const sql = "SELECT * FROM range(10000) t(i) ORDER BY i DESC";
      const seen: (string | null)[] = [];
      for await (const batch of engine.stream({ sql, params: [], relations: [] })) {
        expect(batch.length).toBeLessThanOrEqual(2_048);
        seen.push(...batch.map((r) => r[0] ?? null));
      }
      expect(seen).toEqual(Array.from({ length: 10_000 }, (_, i) => String(9_999 - i)));
      for await (const _ of engine.stream({ sql, params: [], relations: [] })) break;
      await expect(
        (async () => {
          for await (const _ of engine.stream({ sql: "SELECT nope", params: [], relations: [] })) {
          }
        })(),
      ).rejects.toMatchObject({ code: "UNKNOWN_COLUMN" });
    });

    test("questions may be asked at the same time", async () => {
      const sql = "SELECT sum(i)::VARCHAR AS s FROM range(100000) t(i)";
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => engine.ask({ sql, params: [], relations: [], limit: 1 })),
      );
      expect(new Set(answers.map((a) => a.rows[0]?.[0]))).toEqual(new Set(["4999950000"]));
    });

    test("render opens its sources, keeps the question's order and tells rows and columns", async () => {
      const source = put("b;1\na;2\n", "txt");
      const to = fresh();
      const sql = `SELECT column0 AS k, CAST(column1 AS DECIMAL(18,2)) AS amount FROM read_csv(${engine.dialect.text(
        source,
      )}, auto_detect = false, header = false, delim = ';', columns = {'column0': 'VARCHAR', 'column1': 'VARCHAR'}) WHERE column0 <> $1`;
      const done = await engine.render({
        sql,
        params: ["z"],
        relations: [],
        sources: [source],
        to,
        format: "csv",
      });
      expect(done).toEqual({ rows: 2, columns: columns({ k: "text", amount: "decimal(18,2)" }) });
      expect(readFileSync(to, "utf8")).toBe("k,amount\nb,1.00\na,2.00\n");
      const other = `SELECT * FROM read_csv(${engine.dialect.text(source)})`;
      await expect(
        engine.render({
          sql: other,
          params: [],
          relations: [],
          sources: [],
          to: fresh(),
          format: "csv",
        }),
      ).rejects.toThrow();
    });
  });
}
