import { describe, expect, test } from "vitest";
import { capsOf } from "../../src/model/caps.js";
import type { ReadAnswer } from "../../src/model/read.js";
import { withEstimate } from "../../src/queries/envelope.js";
import { type Asked, checkHonesty } from "../../src/queries/honesty.js";

const ASKED: Asked = { n: 2, columns: null, rows_recorded: 10, caps: capsOf() };
const NEXT = "2-00000000-00000000";

/** An honest answer with these fields instead, and an estimate that is true of it. */
function answer(change: Partial<ReadAnswer> = {}): ReadAnswer {
  return withEstimate({
    relation: "refunds",
    rows_total: 10,
    rows_matched: 10,
    rows_returned: 2,
    more_rows: true,
    truncated: true,
    truncated_by: ["cells" as const],
    cells_clipped: 1,
    columns_total: 2,
    columns: [
      { name: "id" as ReadAnswer["columns"][number]["name"], type: "integer" },
      { name: "memo" as ReadAnswer["columns"][number]["name"], type: "text" },
    ],
    rows: [
      ["1", "a"],
      ["2", { clipped: "b", chars: 900 }],
    ],
    next: NEXT,
    notice: "Rows 1 to 2 of 10.",
    ...change,
  });
}

const rows = (first: ReadAnswer["rows"][number]): ReadAnswer["rows"] => [
  first,
  ["2", { clipped: "b", chars: 900 }],
];

describe("checkHonesty", () => {
  test("finds nothing in an honest answer", () => {
    expect(checkHonesty(answer(), ASKED)).toEqual([]);
  });

  test.each<[string, Partial<ReadAnswer>]>([
    ["rows_total is the number recorded", { rows_total: 11 }],
    ["no more rows match than there are", { rows_matched: 11 }],
    ["no more rows are shown than there are", { rows_with_context: 11 }],
    ["rows_returned counts the rows", { rows_returned: 1 }],
    [
      "no more rows come back than asked",
      { rows: [...answer().rows, ["3", "c"]], rows_returned: 3, next: "3-0-0" },
    ],
    ["more_rows says whether rows are left", { more_rows: false }],
    ["next is there just when more rows are", { more_rows: false }],
    ["next goes on after the last row", { next: "1-00000000-00000000" }],
    ["an answer is never empty for want of room", { rows: [], rows_returned: 0, next: "0-0-0" }],
    ["truncated is true just when something was cut", { truncated: false }],
    ["truncated_by names just what was cut", { truncated_by: ["cells", "tokens"] }],
    ["truncated_by names just what was cut", { truncated_by: [] }],
    ["truncated_by names just what was cut", { columns_total: 3 }],
    [
      "truncated_by names just what was cut",
      { rows: answer().rows.slice(1), rows_returned: 1, next: "1-0-0" },
    ],
    ["cells_clipped counts the clipped cells", { cells_clipped: 2 }],
    [
      "a text is within the cap on cells, and a clipped one is shorter than it was",
      { rows: rows(["1", "a".repeat(201)]) },
    ],
    [
      "a text is within the cap on cells, and a clipped one is shorter than it was",
      { rows: rows(["1", { clipped: "a", chars: 1 }]), cells_clipped: 2 },
    ],
    ["a row has one cell for each column", { rows: rows(["1"]) }],
    ["no more columns are shown than there are", { columns_total: 1 }],
    ["nothing unseen is in a cell", { rows: rows(["1", "\u202e"]) }],
    ["the answer is within its bytes", { notice: "x".repeat(17_000) }],
    ["the answer is within its tokens", { notice: "x".repeat(4_000) }],
  ])("reports that %s", (law, change) => {
    expect(checkHonesty(answer(change), ASKED)).toContain(law);
  });

  test("reports an estimate that is not of the answer", () => {
    expect(checkHonesty({ ...answer(), estimated_tokens: 1 }, ASKED)).toEqual([
      "estimated_tokens is the estimate of the answer",
    ]);
  });

  test("judges a later page from its cursor", () => {
    const last = answer({ rows_total: 4, rows_matched: 4, more_rows: false });
    const { next: _, ...page } = last;
    const asked = { ...ASKED, next: NEXT, rows_recorded: 4 };
    expect(checkHonesty(withEstimate(page), asked)).toEqual([]);
  });
});
