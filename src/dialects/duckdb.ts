import type { ColumnType } from "../model/columns.js";
import type { Order } from "../model/relation.js";
import type { Dialect } from "./dialect.js";

/**
 * DuckDB's spelling. Timestamps are stored as TIMESTAMP and mean UTC. Canonical text: decimals with
 * all digits of their scale, dates `YYYY-MM-DD`, timestamps `YYYY-MM-DDTHH:MM:SS[.ffffff]Z` (six
 * digits where the fraction is not zero), booleans `true` and `false`, text as it is.
 */
export const duckdbDialect: Dialect = {
  name: "duckdb",
  id,
  text: (value) => `'${value.replaceAll("'", "''")}'`,
  from: (relation) => relation.split(".").map(id).join("."),
  type,
  canonical,
  order,
  param: (n, t) => `CAST($${n}::VARCHAR AS ${type(t)})`,
  functions:
    "SELECT DISTINCT function_name AS name FROM duckdb_functions() WHERE schema_name = 'main' " +
    "AND function_type IN ('scalar', 'aggregate', 'macro') ORDER BY name",
};

function id(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function type(t: ColumnType): string {
  switch (t.kind) {
    case "text":
      return "VARCHAR";
    case "integer":
      return "BIGINT";
    case "date":
      return "DATE";
    case "boolean":
      return "BOOLEAN";
    case "timestamp":
      return "TIMESTAMP";
    default:
      return `DECIMAL(${t.precision},${t.scale})`;
  }
}

function canonical(expression: string, t: ColumnType): string {
  if (t.kind === "text") return expression;
  if (t.kind !== "timestamp") return `CAST(${expression} AS VARCHAR)`;
  const whole = "%Y-%m-%dT%H:%M:%SZ";
  const fraction = "%Y-%m-%dT%H:%M:%S.%fZ";
  return (
    `CASE WHEN date_trunc('second', ${expression}) = ${expression} THEN ` +
    `strftime(${expression}, '${whole}') ELSE strftime(${expression}, '${fraction}') END`
  );
}

function order(order_by: readonly Order[], columns: readonly { readonly name: string }[]): string {
  const plain = new Set(order_by.filter((o) => !o.abs).map((o) => o.column));
  const rest = columns.filter((c) => !plain.has(c.name));
  return [
    ...order_by.map((o) => item(o.abs ? `abs(${id(o.column)})` : id(o.column), o.down)),
    ...rest.map((c) => item(id(c.name), false)),
  ].join(", ");
}

function item(expression: string, down: boolean): string {
  return `${expression} ${down ? "DESC" : "ASC"} NULLS LAST`;
}
