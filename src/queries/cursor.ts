import { fingerprint } from "../model/canonical.js";
import { TieoutError } from "../model/errors.js";

/**
 * `<rows before it>-<what was read>-<how it was asked>`. A cursor is refused when either has
 * changed, so that pages of two different lists are never taken for one.
 */
export interface Bookmark {
  /** Names, recorded rows and content tag of what is read. */
  readonly content: unknown;
  /** The operation and all that it was asked, the number of rows apart. */
  readonly call: unknown;
}

const MARK = 8;

/** The cursor of a place, `at` rows into the walk. */
export function cursorAt(at: number, mark: Bookmark): string {
  return [at, markOf(mark.content), markOf(mark.call)].join("-");
}

/** Rows before the page that a cursor leads to; 0 without one. */
export function rowsBefore(next: string | undefined): number {
  return next === undefined ? 0 : Number(next.slice(0, next.indexOf("-")));
}

/**
 * The place that a cursor names, among `rows` rows.
 * @throws BAD_CURSOR
 */
export function placeOf(next: string | undefined, mark: Bookmark, rows: number): number {
  if (next === undefined) return 0;
  const [, content, call] = next.split("-");
  if (content !== markOf(mark.content))
    throw badCursor("the relation is not the one this cursor was given for, or it has changed");
  const at = rowsBefore(next);
  if (call !== markOf(mark.call) || !(at > 0 && at < rows))
    throw badCursor("this cursor was given for another call");
  return at;
}

function badCursor(cause: string): TieoutError {
  return new TieoutError("BAD_CURSOR", {
    subject: "next",
    cause,
    remedy: "start again without next, then pass next with all other fields unchanged",
  });
}

function markOf(value: unknown): string {
  return fingerprint(value).slice(0, MARK);
}
