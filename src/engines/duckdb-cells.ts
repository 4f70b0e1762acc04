import type { Column } from "../model/columns.js";
import type { Cell, Native } from "./duckdb-session.js";

/** How the rows of a question of ours become canonical text. */
export interface CellTexts {
  readonly columns: readonly Column[];
  readonly rows: (batch: readonly (readonly Cell[])[]) => (string | null)[][];
}

/**
 * A question's columns keep DuckDB's names. Types are the widest that hold the values: a sum of
 * DECIMAL(38,2) is told as decimal(28,2) although its text may have more digits.
 */
export function cellTexts(natives: readonly Native[]): CellTexts {
  const stamps = natives.map((n) => n.type.startsWith("TIMESTAMP"));
  return {
    columns: natives.map((n) => ({ name: n.name as Column["name"], type: typeText(n.type) })),
    rows: (batch) => batch.map((row) => row.map((cell, i) => cellText(cell, stamps[i] ?? false))),
  };
}

function cellText(cell: Cell, stamp: boolean): string | null {
  if (cell === null) return null;
  if (typeof cell === "object") return JSON.stringify(cell);
  return stamp ? stampText(String(cell)) : String(cell);
}

/** `2026-01-01 10:00:00.5` or with `+00` → `2026-01-01T10:00:00.500000Z`. */
function stampText(text: string): string {
  const m = /^(\S+) ([\d:]+)(?:\.(\d+))?(?:\+00)?$/.exec(text);
  if (!m) return text;
  const fraction = m[3] === undefined ? "" : `.${m[3].padEnd(6, "0")}`;
  return `${m[1]}T${m[2]}${fraction}Z`;
}

function typeText(native: string): string {
  const digits = /^DECIMAL\((\d+),(\d+)\)$/.exec(native);
  if (digits)
    return `decimal(${Math.min(28, Number(digits[1]))},${Math.min(28, Number(digits[2]))})`;
  if (/^U?(?:TINY|SMALL|BIG|HUGE)INT$|^U?INTEGER$/.test(native)) return "integer";
  if (native === "DATE") return "date";
  if (native === "BOOLEAN") return "boolean";
  return native.startsWith("TIMESTAMP") ? "timestamp" : "text";
}
