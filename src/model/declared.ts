import { type Column, type ColumnType, typeOf } from "./columns.js";
import { nearest } from "./errors.js";

/**
 * The type of a declared column. @throws Error when it is not declared: `unknownColumn` comes
 * first.
 */
export function columnType(columns: readonly Column[], name: string): ColumnType {
  const column = columns.find((c) => c.name === name);
  if (!column) throw new Error(`no column ${name}`);
  return typeOf(column.type);
}

/** Null for a declared column, else the sentence that names the nearest one, or all of them. */
export function unknownColumn(columns: readonly Column[], name: string): string | null {
  const known: readonly string[] = columns.map((c) => c.name);
  if (known.includes(name)) return null;
  const near = nearest(name, known);
  const hint = near ? `did you mean ${near}?` : `its columns are ${known.join(", ")}`;
  return `no column is called ${name}: ${hint}`;
}
