import { CELL_UNITS } from "../formats/xlsx.js";
import { type Cell, cellOf, textOf } from "../formats/xlsx-cell.js";
import { textOfXml, xmlText } from "../formats/xlsx-text.js";
import { type BookColumn, HEADER_STYLE, TEXT_STYLE } from "./xlsx-book.js";

/** A value that a cell cannot hold; which one is known by its address. */
export class CellTooLong extends Error {
  readonly address: string;
  constructor(address: string) {
    super(`${address} has more than ${CELL_UNITS} characters`);
    this.address = address;
  }
}

export const ROW_END = "</row>";
const ROW = /^<row r="(\d+)">/;
const VALUE = /(?:<v>([^<]*)<\/v>|<is><t xml:space="preserve">([^<]*)<\/t><\/is>)/;
const CELL = new RegExp(
  `<c r="([A-Z]+)(\\d+)" s="(\\d+)"(?: t="(b|inlineStr)")?>${VALUE.source}</c>`,
  "y",
);

/** The `t` of each kind of cell; a number has none. */
const TYPES: Readonly<Record<Cell["kind"], string | undefined>> = {
  number: undefined,
  boolean: "b",
  text: "inlineStr",
};

/** The header's XML: line 1. */
export function headerXml(columns: readonly BookColumn[]): string {
  const cells = columns.map((c) =>
    cellXml(`${c.letters}1`, HEADER_STYLE, { kind: "text", value: c.name }),
  );
  return `<row r="1">${cells.join("")}${ROW_END}`;
}

/**
 * The XML of one row of canonical texts; `line` counts from 1, the header's. @throws CellTooLong
 */
export function rowXml(
  columns: readonly BookColumn[],
  values: readonly (string | null)[],
  line: number,
): string {
  let xml = `<row r="${line}">`;
  for (const [i, { letters, type, style }] of columns.entries()) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    const cell = cellOf(value, type);
    xml += cellXml(`${letters}${line}`, cell.kind === "text" ? TEXT_STYLE : style, cell);
  }
  return `${xml}${ROW_END}`;
}

/**
 * Null when a row's XML, up to its end tag, holds exactly these values, else the address of the
 * first cell that does not; the row's own first cell where the row is not one at all.
 */
export function rowDifference(
  columns: readonly BookColumn[],
  values: readonly (string | null)[],
  line: number,
  xml: string,
): string | null {
  const start = ROW.exec(xml);
  if (start?.[1] !== String(line)) return `A${line}`;
  let at = start[0].length;
  for (const [i, column] of columns.entries()) {
    const value = values[i] ?? null;
    CELL.lastIndex = at;
    const match = CELL.exec(xml);
    const here = match?.[1] === column.letters && match[2] === String(line) ? match : null;
    if (here !== null) at = CELL.lastIndex;
    if (!holds(here, column, value)) return `${column.letters}${line}`;
  }
  return at === xml.length ? null : `A${line}`;
}

/** Whether a cell, or no cell, is what a value is written as, and reads as that value. */
function holds(
  match: RegExpExecArray | null,
  { type, style }: BookColumn,
  value: string | null,
): boolean {
  if (match === null || value === null) return match === value;
  const { kind } = cellOf(value, type);
  const [, , , styled, typed, v, t] = match;
  if (typed !== TYPES[kind] || styled !== String(kind === "text" ? TEXT_STYLE : style))
    return false;
  const found = kind === "text" ? t : v;
  if (found === undefined) return false;
  return textOf({ kind, value: kind === "text" ? textOfXml(found) : found }, type) === value;
}

function cellXml(address: string, style: number, { kind, value }: Cell): string {
  const type = TYPES[kind];
  const start = `<c r="${address}" s="${style}"${type ? ` t="${type}"` : ""}>`;
  if (kind !== "text") return `${start}<v>${value}</v></c>`;
  if (value.length > CELL_UNITS) throw new CellTooLong(address);
  return `${start}<is><t xml:space="preserve">${xmlText(value)}</t></is></c>`;
}
