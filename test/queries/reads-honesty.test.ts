import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { capsOf } from "../../src/model/caps.js";
import type { ReadAnswer } from "../../src/model/read.js";
import { ReadAnswer as ReadAnswerSchema } from "../../src/model/read.js";
import type { Relation } from "../../src/model/relation.js";
import { plain } from "../../src/model/visible.js";
import { head } from "../../src/queries/head.js";
import { checkHonesty } from "../../src/queries/honesty.js";
import type { Reading } from "../../src/queries/slice.js";
import { tail } from "../../src/queries/tail.js";
import { where } from "../../src/queries/where.js";
import { capsWithin, columnsOf, nastyTexts } from "./pages.js";
import { type Workbench, workbench } from "./relations.js";

let bench: Workbench;
beforeAll(async () => {
  bench = await workbench();
});
afterAll(() => bench.close());

/** A zero byte cannot be written in SQL text. */
const texts = nastyTexts.map((text) => text.replaceAll("\0", "\u0001"));

const tables = fc.record({
  width: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(41, 300)),
  height: fc.integer({ min: 0, max: 12 }),
  cells: fc.array(fc.option(texts), { minLength: 1, maxLength: 15 }),
});

function rowsOf({
  width,
  height,
  cells,
}: {
  width: number;
  height: number;
  cells: (string | null)[];
}) {
  return Array.from({ length: height }, (_, r) =>
    Array.from({ length: width }, (_, c) => cells[(r * 7 + c) % cells.length] ?? null),
  );
}

const text = (n: number): string[] => Array.from({ length: n }, () => "text");

/** Every page of a read, each asked with the cursor of the one before. */
async function pages(
  read: (next: string | undefined) => Promise<ReadAnswer>,
): Promise<ReadAnswer[]> {
  const all: ReadAnswer[] = [];
  for (let next: string | undefined; ; ) {
    const answer = await read(next);
    all.push(answer);
    next = answer.next;
    if (next === undefined) return all;
  }
}

describe("every read", () => {
  test("is honest over any relation, input and caps", async () => {
    await fc.assert(
      fc.asyncProperty(
        tables,
        capsWithin,
        fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
        fc.boolean(),
        async (shape, caps, n, named) => {
          const all = columnsOf(text(shape.width));
          const relation = await bench.table("t", all, rowsOf(shape));
          const columns = named
            ? all
                .slice(0, 200)
                .map((c) => c.name)
                .reverse()
            : undefined;
          const reading: Reading = { engine: bench.engine, tag: "tag", caps };
          const asked = {
            n,
            columns: columns?.length ?? null,
            rows_recorded: relation.rows,
            caps: capsOf(caps),
          };
          const input = { relation: relation.name, n, columns };
          const all_not_null = [{ column: "a0", op: "not_null" as const }];
          for (const read of [
            await head(relation, input, reading),
            await tail(relation, input, reading),
            await where([relation], { ...input, all: all_not_null }, reading),
          ]) {
            expect(checkHonesty(read, asked)).toEqual([]);
            expect(ReadAnswerSchema.strict().parse(read)).toEqual(read);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test("pages through every row exactly once: head forwards, tail backwards, where over its matches", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ keep: fc.boolean(), memo: fc.option(texts) }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 25 }),
        fc.constantFrom("csv" as const, "parquet" as const),
        async (rows, n, format) => {
          const columns = columnsOf(["integer", "boolean", "text"]);
          const values = rows.map((row, i) => [String(i), String(row.keep), row.memo]);
          const relation = await bench.table("t", columns, values, format);
          const reading: Reading = { engine: bench.engine, tag: "tag", caps: { tokens: 1000 } };
          const ids = (answers: ReadAnswer[]) =>
            answers.map((answer) => answer.rows.map((row) => row[0]));
          const every = values.map(([id]) => id);
          const input = { relation: relation.name, n };
          const forwards = await pages((next) => head(relation, { ...input, next }, reading));
          expect(ids(forwards).flat()).toEqual(every);
          const backwards = await pages((next) => tail(relation, { ...input, next }, reading));
          expect(ids(backwards).toReversed().flat()).toEqual(every);
          const all = [{ column: "a1", op: "eq" as const, value: true }];
          const kept = await pages((next) => where([relation], { ...input, all, next }, reading));
          expect(ids(kept).flat()).toEqual(every.filter((_, i) => rows[i]?.keep));
        },
      ),
      { numRuns: 25 },
    );
  });

  test("shows a cell as a prefix with its length, whatever its size, and never a forged mark", async () => {
    const columns = columnsOf(["integer", "text"]);
    const forged = '{"clipped":"x","chars":9}';
    const relation = await bench.select(
      "t",
      columns,
      `SELECT CAST(i AS BIGINT) AS a0, CASE WHEN i < 3 THEN repeat('é', 5000000) ELSE '${forged}' END AS a1 FROM range(5) AS r(i)`,
    );
    const answer = await head(
      relation,
      { relation: relation.name },
      { engine: bench.engine, tag: "" },
    );
    expect(answer.rows[0]?.[1]).toEqual({ clipped: "é".repeat(200), chars: 5_000_000 });
    expect(answer).toMatchObject({ cells_clipped: 3, truncated: true, truncated_by: ["cells"] });
    expect(answer.rows[4]).toEqual(["4", forged]);
  });

  test("shows what cannot be seen, so that one shown text stands for one cell", async () => {
    const cells = ["a\u202eb", "a\\u{202e}b", "\u001b[2J", "zero\u200bwidth", "tab\tand\nline"];
    const relation = await bench.table(
      "t",
      columnsOf(["text"]),
      cells.map((cell) => [cell]),
    );
    const answer = await head(
      relation,
      { relation: relation.name },
      { engine: bench.engine, tag: "" },
    );
    const shown = answer.rows.map(([cell]) => String(cell));
    expect(shown.slice(0, 3)).toEqual(["a\\u{202e}b", "a\\u{5c}u{202e}b", "\\u{1b}[2J"]);
    expect(shown.map(plain)).toEqual(cells);
  });

  test("says that a relation is damaged when it has fewer rows than were recorded", async () => {
    const real = await bench.table("t", columnsOf(["text"]), [["a"]]);
    const relation: Relation = { ...real, rows: 2 };
    const reading = { engine: bench.engine, tag: "" };
    await expect(head(relation, { relation: relation.name }, reading)).rejects.toMatchObject({
      code: "DAMAGED",
    });
  });

  test("reads the files of a relation one after the other", async () => {
    const columns = columnsOf(["integer"]);
    const numbers = (from: number, to: number) =>
      bench.select(
        "t",
        columns,
        `SELECT CAST(i AS BIGINT) AS a0 FROM range(${from}, ${to}) AS r(i)`,
      );
    const [one, two] = [await numbers(0, 300_000), await numbers(300_000, 300_010)];
    const relation: Relation = { ...one, files: [...one.files, ...two.files], rows: 300_010 };
    const reading: Reading = { engine: bench.engine, tag: "" };
    const ids = (answer: ReadAnswer) => answer.rows.map(([id]) => Number(id));
    const last = await tail(relation, { relation: relation.name, n: 15 }, reading);
    expect(ids(last)).toEqual(Array.from({ length: 15 }, (_, i) => 299_995 + i));
    const all = [{ column: "a0", op: "gte" as const, value: 299_995 }];
    const found = await where([relation], { all, n: 15 }, reading);
    expect(found.rows).toEqual(last.rows);
  });

  test("reads a relation without files as one without rows", async () => {
    const real = await bench.table("t", columnsOf(["text"]), []);
    const relation: Relation = { ...real, files: [] };
    const reading = { engine: bench.engine, tag: "" };
    for (const read of [head, tail])
      expect(await read(relation, { relation: relation.name }, reading)).toMatchObject({
        rows_total: 0,
        rows_returned: 0,
        more_rows: false,
        truncated: false,
        notice: "The relation has no rows.",
      });
  });
});

describe("a cursor", () => {
  const reading: Reading = { engine: undefined as never, tag: "sha" };
  const read = async (change: { tag?: string; input?: object; rows?: number }) => {
    const made = await bench.table("t", columnsOf(["integer", "text"]), [
      ["1", "a"],
      ["2", "b"],
      ["3", "c"],
    ]);
    const first = await head(
      made,
      { relation: made.name, n: 1 },
      { ...reading, engine: bench.engine },
    );
    const relation = { ...made, rows: change.rows ?? made.rows };
    return head(
      relation,
      { relation: made.name, n: 2, next: first.next, ...change.input },
      { ...reading, engine: bench.engine, tag: change.tag ?? "sha" },
    );
  };

  test("goes on, with another n too", async () => {
    expect((await read({})).rows.map((row) => row[0])).toEqual(["2", "3"]);
  });

  test.each([
    ["other content", { tag: "another" }],
    ["another number of rows", { rows: 2 }],
    ["other columns", { input: { columns: ["a1"] } }],
    ["a place past the end", { input: { next: "9-00000000-00000000" } }],
  ])("is refused for %s", async (_, change) => {
    await expect(read(change)).rejects.toMatchObject({ code: "BAD_CURSOR" });
  });

  test("of head is refused by tail", async () => {
    const relation = await bench.table("t", columnsOf(["text"]), [["a"], ["b"]]);
    const at = { ...reading, engine: bench.engine };
    const { next } = await head(relation, { relation: relation.name, n: 1 }, at);
    await expect(tail(relation, { relation: relation.name, next }, at)).rejects.toMatchObject({
      code: "BAD_CURSOR",
    });
  });
});
