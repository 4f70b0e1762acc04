import { Column, type ColumnType, typeOf } from "./columns.js";
import { nearest } from "./errors.js";

/** Columns as a job declares them, in their order. */
export function declaredColumns(columns: Readonly<Record<string, string>>): Column[] {
  return Object.entries(columns).map(([name, type]) => Column.parse({ name, type }));
}

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
