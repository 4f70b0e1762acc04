import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { capsOf } from "../../src/model/caps.js";
import type { Condition } from "../../src/model/predicate.js";
import type { Relation } from "../../src/model/relation.js";
import { SOURCE_COLUMNS } from "../../src/model/relations.js";
import { checkHonesty } from "../../src/queries/honesty.js";
import type { Reading } from "../../src/queries/slice.js";
import { relationsAsked, where } from "../../src/queries/where.js";
import { columnsOf } from "./pages.js";
import { type Workbench, workbench } from "./relations.js";

let bench: Workbench;
let reading: Reading;
beforeAll(async () => {
  bench = await workbench();
  reading = { engine: bench.engine, tag: "tag" };
});
afterAll(() => bench.close());

const COLUMNS = columnsOf(["integer", "text", "decimal(18,2)", "date", "timestamp", "boolean"]);

async function ids(relation: Relation, ...all: Condition[]): Promise<(string | null)[]> {
  const answer = await where([relation], { all, n: 200 }, reading);
  expect(answer.rows_matched).toBe(answer.rows.length);
  return answer.rows.map((row) => (typeof row[0] === "string" ? row[0] : null));
}

describe("where", () => {
  const ROWS = [
    ["1", "100% of 5_0", "13.70", "2026-08-10", "2026-08-10T06:41:12Z", "true"],
    ["2", "100x of 550", "-13.70", "2026-08-11", "2026-08-10T06:41:12.500000Z", "false"],
    ["3", "", "0.00", "2024-02-29", "1999-12-31T23:59:59Z", null],
    ["4", null, null, null, null, null],
    ["5", "naïve 金額", "9999999999999999.99", "9999-12-31", "2026-01-01T00:00:00Z", "true"],
  ];
  let relation: Relation;
  beforeAll(async () => {
    relation = await bench.table("t", COLUMNS, ROWS);
  });

  test.each<[Condition, string]>([
    [{ column: "a0", op: "eq", value: 3 }, "3"],
    [{ column: "a0", op: "ne", value: "3" }, "1245"],
    [{ column: "a0", op: "in", values: [1, "5", 9] }, "15"],
    [{ column: "a0", op: "between", values: [2, 4] }, "234"],
    [{ column: "a1", op: "contains", value: "%" }, "1"],
    [{ column: "a1", op: "contains", value: "5_0" }, "1"],
    [{ column: "a1", op: "contains", value: "" }, "1235"],
    [{ column: "a1", op: "starts_with", value: "100" }, "12"],
    [{ column: "a1", op: "ends_with", value: "金額" }, "5"],
    [{ column: "a1", op: "ends_with", value: "x of 550 and longer than any cell" }, ""],
    [{ column: "a1", op: "eq", value: "" }, "3"],
    [{ column: "a1", op: "is_null" }, "4"],
    [{ column: "a1", op: "not_null" }, "1235"],
    [{ column: "a1", op: "ne", value: "" }, "125"],
    [{ column: "a2", op: "eq", value: "13.7" }, "1"],
    [{ column: "a2", op: "gte", value: "9999999999999999.99" }, "5"],
    [{ column: "a2", op: "lt", value: 0 }, "2"],
    [{ column: "a2", op: "eq", value: "-0.00" }, "3"],
    [{ column: "a3", op: "lte", value: "2024-02-29" }, "3"],
    [{ column: "a4", op: "eq", value: "2026-08-10T08:41:12+02:00" }, "1"],
    [{ column: "a4", op: "gt", value: "2026-08-10T06:41:12.49Z" }, "2"],
    [{ column: "a5", op: "eq", value: true }, "15"],
  ])("%o finds %s", async (condition, found) => {
    expect((await ids(relation, condition)).join("")).toBe(found);
  });

  test("takes every condition together, and a text that looks like SQL as a text", async () => {
    const some: Condition[] = [
      { column: "a5", op: "eq", value: true },
      { column: "a2", op: "lt", value: "20.00" },
    ];
    expect(await ids(relation, ...some)).toEqual(["1"]);
    expect(await ids(relation, { column: "a1", op: "eq", value: "' OR true --" })).toEqual([]);
  });

  test("finds a cell by the text that an answer shows of it", async () => {
    const odd = await bench.table("t", columnsOf(["text"]), [["a\u202eb"], ["a\\u{202e}b"]]);
    const shown = await where([odd], { all: [{ column: "a0", op: "not_null" }] }, reading);
    for (const [cell] of shown.rows) {
      const all: Condition[] = [{ column: "a0", op: "eq", value: String(cell) }];
      expect((await where([odd], { all }, reading)).rows).toEqual([[cell]]);
    }
  });

  test("agrees with a filter in memory on any texts and needles", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom("a", "b", "%", "_", "é", "\\") }), {
          minLength: 1,
          maxLength: 20,
        }),
        fc.string({ unit: fc.constantFrom("a", "b", "%", "_", "é", "\\"), maxLength: 3 }),
        fc.constantFrom("contains" as const, "starts_with" as const, "ends_with" as const),
        async (cells, needle, op) => {
          const rows = cells.map((cell, i) => [String(i), cell]);
          const texts = await bench.table("t", columnsOf(["integer", "text"]), rows);
          const holds = {
            contains: (cell: string) => cell.includes(needle),
            starts_with: (cell: string) => cell.startsWith(needle),
            ends_with: (cell: string) => cell.endsWith(needle),
          }[op];
          const expected = rows.filter(([, cell]) => holds(cell ?? "")).map(([id]) => id);
          expect(await ids(texts, { column: "a1", op, value: needle })).toEqual(expected);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("reads the source columns of an input when they are named", async () => {
    const columns = [...columnsOf(["text"]), ...SOURCE_COLUMNS];
    const made = await bench.table("t", columnsOf(["text"]), [["x"], ["y"]]);
    const input: Relation = {
      ...made,
      files: made.files.map((file) => ({ ...file, source: "export.csv", first_line: 2 })),
    };
    const answer = await where(
      [input],
      { columns: columns.map((c) => c.name), all: [{ column: "_line", op: "eq", value: 3 }] },
      reading,
    );
    expect(answer).toMatchObject({ rows: [["y", "export.csv", "3"]], columns_total: 1 });
  });

  test("says how many match when fewer come back", async () => {
    const all: Condition[] = [{ column: "a0", op: "gt", value: 0 }];
    const answer = await where([relation], { all, n: 2, columns: ["a0"] }, reading);
    expect(answer).toMatchObject({
      rows_total: 5,
      rows_matched: 5,
      rows_returned: 2,
      more_rows: true,
      truncated: false,
      notice: "2 of 5 matching rows; there are 5 in all. Pass next for more.",
    });
  });
});

describe("where over texts", () => {
  const LINES = ["start", "load", "error: a", "retry", "error: b", "done", "bye"];
  const errors: Condition[] = [{ column: "text", op: "starts_with", value: "error" }];
  let log: Relation;
  let other: Relation;
  beforeAll(async () => {
    log = await bench.text("log.main", LINES);
    other = await bench.text("log.other", ["error: c", "fine"]);
  });

  test("is a search with its line numbers", async () => {
    const answer = await where([log], { all: errors }, reading);
    expect(answer.rows).toEqual([
      ["3", "error: a"],
      ["5", "error: b"],
    ]);
  });

  test("reads a range of lines", async () => {
    const all: Condition[] = [{ column: "line", op: "between", values: [6, 7] }];
    expect((await where([log], { all }, reading)).rows.map((row) => row[1])).toEqual([
      "done",
      "bye",
    ]);
  });

  test("shows each line in or around a match once, counts both, and is honest", async () => {
    for (const context of [1, 5]) {
      const answer = await where([log], { all: errors, context }, reading);
      const around = LINES.map((_, i) => i + 1).filter((line) =>
        [3, 5].some((match) => Math.abs(match - line) <= context),
      );
      expect(answer.columns.map((c) => c.name)).toEqual(["match", "line", "text"]);
      expect(answer.rows.map(([, line]) => Number(line))).toEqual(around);
      expect(answer.rows.filter(([match]) => match === "true")).toHaveLength(2);
      expect(answer).toMatchObject({ rows_matched: 2, rows_with_context: around.length });
      const asked = { columns: null, rows_recorded: 7, caps: capsOf() };
      expect(checkHonesty(answer, asked)).toEqual([]);
    }
  });

  test("pages over the lines around matches", async () => {
    const input = { all: errors, context: 1, n: 3 };
    const first = await where([log], input, reading);
    const second = await where([log], { ...input, next: first.next }, reading);
    expect([...first.rows, ...second.rows].map(([, line]) => line)).toEqual([
      "2",
      "3",
      "4",
      "5",
      "6",
    ]);
    expect(second.more_rows).toBe(false);
  });

  test("reads several texts one after the other", async () => {
    const answer = await where([other, log], { all: errors }, reading);
    expect(answer.relation).toBe("log.other and 1 more");
    expect(answer).toMatchObject({ rows_total: 9, rows_matched: 3 });
    expect(answer.rows).toEqual([
      ["log.other", "1", "error: c"],
      ["log.main", "3", "error: a"],
      ["log.main", "5", "error: b"],
    ]);
  });

  test("refuses context and several relations where one is a table", async () => {
    const table = await bench.table("t", columnsOf(["text"]), [["a"]]);
    const all: Condition[] = [{ column: "a0", op: "not_null" }];
    const refused = { code: "USAGE", subject: "t" };
    await expect(where([table], { all, context: 1 }, reading)).rejects.toMatchObject(refused);
    await expect(where([log, table], { all: errors }, reading)).rejects.toMatchObject(refused);
    expect((await where([table], { all, context: 0 }, reading)).rows).toEqual([["a"]]);
  });

  test("takes exactly one of relation and relations", () => {
    const [main, second] = [log.name, other.name];
    expect(relationsAsked({ relation: main })).toEqual([main]);
    expect(relationsAsked({ relations: [main, second] })).toEqual([main, second]);
    for (const input of [{}, { relation: main, relations: [main, second] }])
      expect(() => relationsAsked(input)).toThrowError(expect.objectContaining({ code: "USAGE" }));
  });
});
