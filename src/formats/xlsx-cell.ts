import { type ColumnType, isExactDecimal, isMoney } from "../model/columns.js";

/**
 * How a value stands in a cell. `number` and `date` hold the digits of an XML number, `text` the
 * text itself; there is no formula, whatever a text begins with. A null has no cell.
 */
export interface Cell {
  readonly kind: "number" | "boolean" | "text";
  readonly value: string;
}

/** Days from 1899-12-30, the day 0 of a workbook's dates, to 1970-01-01. */
const EPOCH = 25_569;
/** Before it a workbook counts a 29 February 1900 that never was. */
const FIRST_DAY = "1900-03-01";
const DAY_MS = 86_400_000;
const DAY_S = 86_400;
const DATE = /^\d{4}-\d\d-\d\d$/;
const SECOND = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)Z$/;

/** The cell of a value's canonical text. What a number cell cannot hold exactly is a text cell. */
export function cellOf(text: string, type: ColumnType): Cell {
  const number = numberOf(text, type);
  if (number !== null) return { kind: "number", value: number };
  if (type.kind === "boolean") return { kind: "boolean", value: text === "true" ? "1" : "0" };
  return { kind: "text", value: text };
}

/**
 * The canonical text of a cell that was read back; null when no value of the type gives such a
 * cell.
 */
export function textOf(cell: Cell, type: ColumnType): string | null {
  if (cell.kind === "text") return cell.value;
  if (cell.kind === "boolean") return cell.value === "1" ? "true" : "false";
  if (type.kind === "date") return dayText(Number(cell.value));
  if (type.kind !== "timestamp") return cell.value;
  const seconds = Math.round(Number(cell.value) * DAY_S);
  const day = dayText(Math.floor(seconds / DAY_S));
  return day && `${day}T${clockText(seconds % DAY_S)}Z`;
}

/**
 * The number format that shows a column's values with all their decimals; null for text as it is.
 */
export function numberFormat(type: ColumnType): string | null {
  if (type.kind === "text") return null;
  if (type.kind === "boolean") return "General";
  if (type.kind === "date") return "yyyy-mm-dd";
  if (type.kind === "timestamp") return 'yyyy-mm-dd"T"hh:mm:ss"Z"';
  const whole = isMoney(type) ? "#,##0" : "0";
  const scale = isExactDecimal(type) ? type.scale : 0;
  return scale === 0 ? whole : `${whole}.${"0".repeat(scale)}`;
}

function numberOf(text: string, type: ColumnType): string | null {
  if (type.kind === "date") return DATE.test(text) && text >= FIRST_DAY ? `${dayOf(text)}` : null;
  if (type.kind === "timestamp") return momentOf(text);
  if (type.kind !== "integer" && !isExactDecimal(type)) return null;
  return isExactDouble(text) ? text : null;
}

function momentOf(text: string): string | null {
  const [, day = "", h, m, s] = SECOND.exec(text) ?? [];
  if (day < FIRST_DAY) return null;
  const seconds = Number(h) * 3600 + Number(m) * 60 + Number(s);
  return `${dayOf(day) + seconds / DAY_S}`;
}

/** At most 15 digits, and the double's own text is the same number. */
function isExactDouble(text: string): boolean {
  if (text.replace(/^-?[0.]*/, "").replace(".", "").length > 15) return false;
  const trimmed = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return String(Number(text)) === trimmed;
}

function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS + EPOCH;
}

function dayText(serial: number): string | null {
  if (!Number.isInteger(serial) || serial < dayOf(FIRST_DAY) || serial > dayOf("9999-12-31"))
    return null;
  return new Date((serial - EPOCH) * DAY_MS).toISOString().slice(0, 10);
}

function clockText(seconds: number): string {
  const two = (n: number): string => String(Math.floor(n)).padStart(2, "0");
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}
