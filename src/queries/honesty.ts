import type { Caps } from "../model/caps.js";
import { estimateTokens } from "../model/estimate.js";
import type { Cell, CutBy, ReadAnswer } from "../model/read.js";
import { isVisible, plain } from "../model/visible.js";
import { isClipped } from "./cells.js";
import { rowsBefore } from "./cursor.js";

/** What a row read was asked, and what was recorded of what it read. */
export interface Asked {
  readonly n?: number | undefined;
  readonly next?: string | undefined;
  /** How many columns were named, plus those the operation adds; null: all of the relation. */
  readonly columns: number | null;
  /** Of all relations that were read. */
  readonly rows_recorded: number;
  readonly caps: Caps;
}

type Law = readonly [says: string, holds: (answer: ReadAnswer, asked: Asked) => boolean];

/** The laws of I006 that an answer breaks, each in words; empty for an honest answer. Pure. */
export function checkHonesty(answer: ReadAnswer, asked: Asked): string[] {
  return LAWS.filter(([, holds]) => !holds(answer, asked)).map(([says]) => says);
}

const LAWS: readonly Law[] = [
  ["rows_total is the number recorded", (a, { rows_recorded }) => a.rows_total === rows_recorded],
  ["no more rows match than there are", (a) => a.rows_matched <= a.rows_total],
  ["no more rows are shown than there are", (a) => available(a) <= a.rows_total],
  ["rows_returned counts the rows", (a) => a.rows_returned === a.rows.length],
  ["no more rows come back than asked", (a, asked) => a.rows_returned <= wanted(a, asked)],
  ["more_rows says whether rows are left", (a, asked) => a.more_rows === left(a, asked) > 0],
  ["next is there just when more rows are", (a) => a.more_rows === (a.next !== undefined)],
  ["next goes on after the last row", goesOn],
  [
    "an answer is never empty for want of room",
    (a, asked) => a.rows.length > 0 || wanted(a, asked) === 0,
  ],
  [
    "truncated is true just when something was cut",
    (a, asked) => a.truncated === cuts(a, asked).some(([, is]) => is),
  ],
  ["truncated_by names just what was cut", namesCuts],
  [
    "cells_clipped counts the clipped cells",
    (a) => (a.cells_clipped ?? 0) === cellsOf(a).filter(isClipped).length,
  ],
  [
    "a text is within the cap on cells, and a clipped one is shorter than it was",
    (a, { caps }) =>
      a.rows.every((row) => row.every((cell, i) => fairlyCut(cell, caps.cell, a.columns[i]?.type))),
  ],
  [
    "a row has one cell for each column",
    (a) => a.rows.every((row) => row.length === a.columns.length),
  ],
  [
    "no more columns are shown than there are",
    (a, asked) => a.columns.length <= columnsWanted(a, asked),
  ],
  ["nothing unseen is in a cell", (a) => cellsOf(a).every((cell) => isVisible(textOf(cell)))],
  [
    "the answer is within its bytes",
    (a, { caps }) => Buffer.byteLength(JSON.stringify(a)) <= caps.bytes,
  ],
  ["the answer is within its tokens", (a, { caps }) => a.estimated_tokens <= caps.tokens],
  [
    "estimated_tokens is the estimate of the answer",
    (a) => a.estimated_tokens === estimateTokens(JSON.stringify(a)),
  ],
];

function available(answer: ReadAnswer): number {
  return answer.rows_with_context ?? answer.rows_matched;
}

function wanted(answer: ReadAnswer, { n, next, caps }: Asked): number {
  return Math.min(n ?? caps.rows, available(answer) - rowsBefore(next));
}

/** Rows after this page. */
function left(answer: ReadAnswer, { next }: Asked): number {
  return available(answer) - rowsBefore(next) - answer.rows.length;
}

function goesOn(answer: ReadAnswer, { next }: Asked): boolean {
  if (answer.next === undefined) return true;
  return rowsBefore(answer.next) === rowsBefore(next) + answer.rows.length;
}

function columnsWanted(answer: ReadAnswer, asked: Asked): number {
  return asked.columns ?? answer.columns_total;
}

/** What may have been cut, each with whether it was. */
function cuts(answer: ReadAnswer, asked: Asked): [CutBy[], boolean][] {
  return [
    [["tokens", "bytes"], answer.rows.length < wanted(answer, asked)],
    [["cells"], cellsOf(answer).some(isClipped)],
    [["columns"], answer.columns.length < columnsWanted(answer, asked)],
    [["groups"], false],
  ];
}

function namesCuts(answer: ReadAnswer, asked: Asked): boolean {
  const named: readonly CutBy[] = answer.truncated_by ?? [];
  if (answer.truncated_by?.length === 0 || new Set(named).size < named.length) return false;
  return cuts(answer, asked).every(([by, is]) => by.some((cut) => named.includes(cut)) === is);
}

function cellsOf(answer: ReadAnswer): Cell[] {
  return answer.rows.flat();
}

function textOf(cell: Cell): string {
  if (cell === null) return "";
  return typeof cell === "string" ? cell : cell.clipped;
}

function fairlyCut(cell: Cell, cap: number, type: string | undefined): boolean {
  const shown = Array.from(plain(textOf(cell))).length;
  return isClipped(cell) ? shown < charsOf(cell) && shown <= cap : type !== "text" || shown <= cap;
}

function charsOf(cell: Cell): number {
  return cell === null || typeof cell === "string" ? 0 : cell.chars;
}
