import type { Caps } from "../model/caps.js";
import type { Cell, CutBy, ReadAnswer } from "../model/read.js";
import { isClipped, type RawRow, shownCell, shrinking, typesOf } from "./cells.js";
import { ANY_SIZE_CUT, fitting, holds, type SizeCut, withEstimate } from "./envelope.js";
import { cellsCut, grouped, stoppedAt } from "./notice.js";
import type { Shown } from "./shown.js";

/** `rows_with_context` only where lines around the matches are shown. */
export type Counts = Pick<ReadAnswer, "rows_total" | "rows_matched" | "rows_with_context">;

/** A page before it is cut. `rows` are in file order; a backwards page is cut from its front. */
export interface Page {
  readonly relation: string;
  readonly counts: Counts;
  readonly says: (returned: number) => string;
  readonly shown: Shown;
  /** Rows that should come back: what was asked for, or what is left. */
  readonly wanted: number;
  /** Rows left after the cursor, those of this page included. */
  readonly left: number;
  readonly backwards: boolean;
  readonly rows: readonly RawRow[];
  readonly next: (returned: number) => string;
  readonly caps: Caps;
}

/** How a page is shown: so many columns, cells of at most so many characters. */
interface View {
  readonly page: Page;
  readonly columns: number;
  readonly cell: number;
  /** Nearest to where the walk began first; cut from the end. */
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * The answer of a row read. So that one row always fits, cells shrink first and columns are hidden
 * after that, from the end; then as many rows are taken as fit.
 */
export function cutPage(page: Page): ReadAnswer {
  const view = viewOf(page, ...measuresOf(page));
  const fitted = fitting(
    view.rows,
    (count, by) => envelope(view, count, by),
    page.caps,
    Math.min(1, view.rows.length),
  );
  const rows = view.rows.slice(0, fitted.count);
  return withEstimate({
    ...envelope(view, fitted.count, fitted.by),
    rows: (page.backwards ? rows.toReversed() : rows).map((row) => [...row]),
  });
}

/** Shorter than this, the mark of a clipped cell costs as much as the cell. */
const LEAST_CELL = 16;

/** The columns and the cap on cells with which the first row fits. */
function measuresOf(page: Page): [columns: number, cell: number] {
  const first = { ...page, rows: page.backwards ? page.rows.slice(-1) : page.rows.slice(0, 1) };
  const by = page.rows.length > 1 ? ANY_SIZE_CUT : [];
  const fits = (columns: number, cell: number): boolean => {
    const view = viewOf(first, columns, cell);
    return holds(view.rows, by, (count, stopped) => envelope(view, count, stopped), page.caps);
  };
  const columns = page.shown.columns.length;
  for (const cell of shrinking(page.caps.cell, LEAST_CELL))
    if (fits(columns, cell)) return [columns, cell];
  let [enough, tooMany] = [1, columns];
  while (tooMany - enough > 1) {
    const middle = (enough + tooMany) >> 1;
    if (fits(middle, LEAST_CELL)) enough = middle;
    else tooMany = middle;
  }
  return [enough, LEAST_CELL];
}

function viewOf(page: Page, columns: number, cell: number): View {
  const types = typesOf(page.shown.columns.slice(0, columns));
  const rows = page.rows.map((row) =>
    types.map((type, i) => shownCell(row[i] ?? null, cell, type)),
  );
  return { page, columns, cell, rows: page.backwards ? rows.toReversed() : rows };
}

function envelope(
  view: View,
  count: number,
  by: readonly SizeCut[],
): Omit<ReadAnswer, "estimated_tokens"> {
  const { page } = view;
  const { shown } = page;
  const clipped = view.rows.slice(0, count).flat().filter(isClipped).length;
  const columns = shown.columns.slice(0, view.columns);
  const hidden = columns.length < shown.wanted;
  const cutBy: CutBy[] = [...by];
  if (clipped > 0) cutBy.push("cells");
  if (hidden) cutBy.push("columns");
  const more = page.left > count;
  const notice = [
    page.says(count),
    ...stoppedAt(by, "narrow with where, ask for fewer columns, or pass next"),
    ...(more && by.length === 0 ? ["Pass next for more."] : []),
    ...cellsCut(clipped, view.cell),
    ...(hidden ? [columnsHidden(columns.length, shown.wanted)] : []),
  ];
  return {
    relation: page.relation,
    ...page.counts,
    rows_returned: count,
    more_rows: more,
    truncated: cutBy.length > 0,
    ...(cutBy.length > 0 ? { truncated_by: cutBy } : {}),
    ...(clipped > 0 ? { cells_clipped: clipped } : {}),
    columns_total: shown.total,
    columns,
    rows: [],
    ...(more ? { next: page.next(count) } : {}),
    notice: notice.join(" "),
  };
}

function columnsHidden(shown: number, wanted: number): string {
  return `${grouped(shown)} of ${grouped(wanted)} columns shown: name others in columns.`;
}
