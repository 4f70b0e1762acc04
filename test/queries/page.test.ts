import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "../../src/model/estimate.js";
import { plain } from "../../src/model/visible.js";
import { cursorAt, rowsBefore } from "../../src/queries/cursor.js";
import { type Asked, checkHonesty } from "../../src/queries/honesty.js";
import { cutPage, type Page } from "../../src/queries/page.js";
import { capsWithin, columnsOf, fetched, nastyTexts } from "./pages.js";

const MARK = { content: "a relation", call: "a call" };

const cases = fc
  .record({
    caps: capsWithin,
    width: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 300 })),
    long: fc.boolean(),
    height: fc.integer({ min: 0, max: 30 }),
    texts: fc.array(fc.option(nastyTexts), { minLength: 1, maxLength: 12 }),
    at: fc.integer({ min: 0, max: 10_000 }),
    further: fc.constantFrom(0, 1, 5_000_000),
    backwards: fc.boolean(),
    named: fc.boolean(),
  })
  .map(({ caps, width, long, height, texts, at, further, backwards, named }) => {
    const most = named ? 200 : caps.columns;
    const all = columnsOf(
      Array.from({ length: width }, () => "text"),
      long,
    );
    const columns = all.slice(0, most);
    const cell = (row: number, column: number) =>
      fetched(texts[(row * 7 + column) % texts.length] ?? null, caps.cell);
    const counts = { rows_total: at + height + further, rows_matched: at + height + further };
    const page: Page = {
      relation: "a_relation",
      counts,
      says: (returned) => `${returned} rows.`,
      shown: { columns, wanted: named ? columns.length : width, total: width },
      wanted: height,
      left: height + further,
      backwards,
      rows: Array.from({ length: height }, (_, r) => columns.map((_, c) => cell(r, c))),
      next: (returned) => cursorAt(at + returned, MARK),
      caps,
    };
    const asked: Asked = {
      n: height,
      next: at === 0 ? undefined : cursorAt(at, MARK),
      columns: named ? columns.length : null,
      rows_recorded: counts.rows_total,
      caps,
    };
    return { page, asked };
  });

describe("a page, cut to the caps", () => {
  test("is honest for any rows, columns and caps", () => {
    fc.assert(
      fc.property(cases, ({ page, asked }) => {
        expect(checkHonesty(cutPage(page), asked)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test("keeps the rows nearest to where the walk began, and every cell whole or as a prefix", () => {
    fc.assert(
      fc.property(cases, ({ page }) => {
        const answer = cutPage(page);
        const from = page.backwards ? page.rows.length - answer.rows.length : 0;
        for (const [r, row] of answer.rows.entries())
          for (const [c, cell] of row.entries()) {
            const raw = page.rows[from + r]?.[c] ?? null;
            if (cell === null) expect(raw).toBeNull();
            else if (typeof cell === "string") expect(plain(cell)).toBe(raw?.text);
            else expect(raw?.text.startsWith(plain(cell.clipped))).toBe(true);
          }
      }),
      { numRuns: 100 },
    );
  });

  test("costs no more tokens than its estimate says", () => {
    fc.assert(
      fc.property(cases, ({ page }) => {
        const part = JSON.stringify(cutPage(page)).slice(0, 2000);
        expect(estimateTokens(part)).toBeGreaterThanOrEqual(encode(part).length);
      }),
      { numRuns: 100 },
    );
  });

  test("shrinks cells before it hides columns, and hides none that fit", () => {
    const columns = columnsOf(["text", "text", "text"]);
    const caps = { rows: 20, groups: 50, tokens: 900, bytes: 4096, cell: 2000, columns: 40 };
    const long = fetched("字".repeat(2000), caps.cell);
    const answer = cutPage({
      relation: "r",
      counts: { rows_total: 1, rows_matched: 1 },
      says: () => "One.",
      shown: { columns, wanted: 3, total: 3 },
      wanted: 1,
      left: 1,
      backwards: false,
      rows: [[long, long, long]],
      next: (returned) => cursorAt(returned, MARK),
      caps,
    });
    expect(answer).toMatchObject({ rows_returned: 1, cells_clipped: 3, truncated_by: ["cells"] });
    expect(answer.columns).toHaveLength(3);
  });

  test("gives one cursor for each place", () => {
    expect(rowsBefore(cursorAt(40, MARK))).toBe(40);
    expect(cursorAt(40, MARK)).not.toBe(cursorAt(40, { ...MARK, call: "another" }));
  });
});
