import type { Dialect } from "../dialects/dialect.js";
import { type Column, type ColumnType, typeOf } from "../model/columns.js";
import type { Cell } from "../model/read.js";
import { visible } from "../model/visible.js";

/** A cell as it was fetched: its first characters, and how many it has; null is null. */
export interface RawCell {
  readonly text: string;
  readonly chars: number;
}
export type RawRow = readonly (RawCell | null)[];

/**
 * Result columns that carry one cell, clipped where the data is, so that a cell of megabytes never
 * leaves the engine: a text is two columns (its prefix and its length), any other type is one.
 */
export function cellSql(expression: string, type: ColumnType, cap: number, d: Dialect): string {
  const text = d.canonical(expression, type);
  return type.kind === "text" ? `substr(${text}, 1, ${cap}), length(${text})` : text;
}

/**
 * Reads the result columns that `cellSql` made for these types, in order, from the front of `row`.
 */
export function rawCells(types: readonly ColumnType[], row: readonly (string | null)[]): RawRow {
  let at = 0;
  return types.map((type) => {
    const text = row[at++] ?? null;
    const length = type.kind === "text" ? row[at++] : undefined;
    if (text === null) return null;
    return { text, chars: length == null ? text.length : Number(length) };
  });
}

/** Result columns that `cellSql` makes for these types. */
export function widthOf(types: readonly ColumnType[]): number {
  return types.reduce((sum, type) => sum + (type.kind === "text" ? 2 : 1), 0);
}

export function typesOf(columns: readonly Column[]): ColumnType[] {
  return columns.map((column) => typeOf(column.type));
}

/**
 * A cell as it is shown: at most `cap` characters and unseen ones escaped. Only texts are ever cut:
 * another type's canonical text is short, and half a number is a wrong number.
 */
export function shownCell(cell: RawCell | null, cap: number, type: ColumnType): Cell {
  if (cell === null) return null;
  if (type.kind !== "text" || cell.chars <= cap) return visible(cell.text);
  const prefix = Array.from(cell.text).slice(0, cap).join("");
  return { clipped: visible(prefix), chars: cell.chars };
}

export function isClipped(cell: unknown): boolean {
  return typeof cell === "object" && cell !== null;
}

/** Ever smaller caps on a cell, from `cap` to `least`, both included. */
export function* shrinking(cap: number, least: number): Generator<number> {
  for (let cell = cap; cell > least; cell >>= 1) yield cell;
  yield least;
}
