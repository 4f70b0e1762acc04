import { duckdbDialect } from "../dialects/duckdb.js";
import {
  type Column,
  type ColumnType,
  isExactDecimal,
  typeOf,
  WIDEST_DECIMAL,
} from "../model/columns.js";
import { nearest, TieoutError } from "../model/errors.js";
import { ColumnName } from "../model/ids.js";
import type { Native } from "./duckdb-session.js";

/** How one column of a SELECT becomes one column of a file. */
export interface Cast {
  readonly column: Column;
  readonly native: Native;
  /** The value in the declared type; null where it does not fit exactly. */
  readonly value: string;
  /** False or null where `value` would round or overflow; null: every value fits. */
  readonly fits: string | null;
}

const { id, type } = duckdbDialect;
const INTEGERS = new Set([
  "TINYINT",
  "SMALLINT",
  "INTEGER",
  "BIGINT",
  "UTINYINT",
  "USMALLINT",
  "UINTEGER",
]);
const WIDE = new Set(["HUGEINT", "UHUGEINT", "UBIGINT"]);
const TIMESTAMPS = new Set([
  "TIMESTAMP",
  "TIMESTAMP WITH TIME ZONE",
  "TIMESTAMP_S",
  "TIMESTAMP_MS",
]);

/** What a SELECT's columns are cast to: the declared columns, or what their own types allow. */
export function castsOf(natives: readonly Native[], columns: readonly Column[] | null): Cast[] {
  refuseTwins(natives);
  if (columns === null) return natives.map((n) => castOf(n, inferred(n)));
  refuseOtherNames(natives, columns);
  return columns.map((column) => {
    const native = natives.find((n) => n.name.toLowerCase() === column.name);
    if (native === undefined) throw new Error(`no column ${column.name}`);
    return castOf(native, column);
  });
}

function castOf(native: Native, column: Column): Cast {
  const target = typeOf(column.type);
  const x = id(native.name);
  const to = type(target);
  const family = familyOf(native.type);
  if (family === "null") return { column, native, value: `CAST(NULL AS ${to})`, fits: null };
  if (!accepts(target, family)) throw mismatch(native, column);
  if (family === "text" || family === "boolean") return { column, native, value: x, fits: null };
  if (family === "date" || family === "timestamp")
    return { column, native, value: `CAST(${x} AS ${to})`, fits: inCalendar(x, family) };
  if (widens(native.type, target))
    return { column, native, value: `CAST(${x} AS ${to})`, fits: null };
  const value = `TRY_CAST(${x} AS ${to})`;
  return { column, native, value, fits: `TRY_CAST(${value} AS ${native.type}) = ${x}` };
}

type Family = "text" | "number" | "date" | "timestamp" | "boolean" | "null" | "other";

function familyOf(native: string): Family {
  if (native === "VARCHAR") return "text";
  if (INTEGERS.has(native) || WIDE.has(native) || digitsOf(native)) return "number";
  if (native === "DATE") return "date";
  if (TIMESTAMPS.has(native)) return "timestamp";
  if (native === "BOOLEAN") return "boolean";
  return native === "NULL" ? "null" : "other";
}

function accepts(target: ColumnType, family: Family): boolean {
  if (target.kind === "integer" || isExactDecimal(target)) return family === "number";
  return family === target.kind;
}

function digitsOf(native: string): { precision: number; scale: number } | null {
  const m = /^DECIMAL\((\d+),(\d+)\)$/.exec(native);
  return m ? { precision: Number(m[1]), scale: Number(m[2]) } : null;
}

/** True when no value of the native type can fail to fit. */
function widens(native: string, target: ColumnType): boolean {
  if (target.kind === "integer") return INTEGERS.has(native);
  if (!isExactDecimal(target)) return false;
  const whole = target.precision - target.scale;
  const digits = digitsOf(native);
  if (digits !== null)
    return digits.scale <= target.scale && digits.precision - digits.scale <= whole;
  return INTEGERS.has(native) && whole >= 19; // a BIGINT has 19 digits
}

/** Canonical text has years 0001 to 9999; DuckDB also has infinities and years before. */
function inCalendar(x: string, family: "date" | "timestamp"): string {
  if (family === "date") return `${x} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'`;
  const t = `CAST(${x} AS TIMESTAMP)`;
  return `${t} >= TIMESTAMP '0001-01-01' AND ${t} < TIMESTAMP '10000-01-01'`;
}

function inferred(native: Native): Column {
  const name = ColumnName.safeParse(native.name.toLowerCase());
  if (!name.success)
    throw new TieoutError("COLUMN_MISMATCH", {
      subject: "a column of the SELECT",
      cause: "a column has no name that a file can have",
      remedy: `give every computed column a name: <expression> AS <name> (a-z, 0-9, _)`,
    });
  return { name: name.data, type: inferredType(native) };
}

function inferredType(native: Native): string {
  const digits = digitsOf(native.type);
  const capped = (n: number) => Math.min(n, WIDEST_DECIMAL);
  if (digits !== null) return `decimal(${capped(digits.precision)},${capped(digits.scale)})`;
  if (INTEGERS.has(native.type)) return "integer";
  if (WIDE.has(native.type)) return `decimal(${WIDEST_DECIMAL},0)`;
  const family = familyOf(native.type);
  if (family === "null") return "text";
  if (family === "text" || family === "date" || family === "timestamp" || family === "boolean")
    return family;
  throw new TieoutError("COLUMN_MISMATCH", {
    subject: native.name,
    cause: `column ${native.name} is ${native.type}, which a file cannot hold exactly`,
    remedy: `cast ${native.name} to VARCHAR, BIGINT, DECIMAL(18,2), DATE, TIMESTAMP or BOOLEAN`,
  });
}

function mismatch(native: Native, column: Column): TieoutError {
  return new TieoutError("COLUMN_MISMATCH", {
    subject: column.name,
    cause: `column ${column.name} is ${native.type}, but ${column.type} was declared`,
    remedy: `write CAST(<expression> AS ${type(typeOf(column.type))}) AS ${column.name}`,
  });
}

function refuseTwins(natives: readonly Native[]): void {
  const names = natives.map((n) => n.name.toLowerCase());
  const twin = names.find((n, i) => names.indexOf(n) !== i);
  if (twin === undefined) return;
  throw new TieoutError("COLUMN_MISMATCH", {
    subject: twin,
    cause: `the SELECT has two columns named ${twin}`,
    remedy: "give each column of the SELECT its own name with AS",
  });
}

function refuseOtherNames(natives: readonly Native[], columns: readonly Column[]): void {
  const declared = columns.map((c): string => c.name);
  const selected = natives.map((n) => n.name.toLowerCase());
  const missing = declared.filter((c) => !selected.includes(c));
  const extra = selected.filter((c) => !declared.includes(c));
  if (missing.length === 0 && extra.length === 0) return;
  const near = extra.flatMap((e) => {
    const n = nearest(e, missing);
    return n === null ? [] : [`${e} AS ${n}`];
  });
  const parts = [
    ...(missing.length > 0 ? [`lacks ${missing.join(", ")}`] : []),
    ...(extra.length > 0 ? [`has undeclared ${extra.join(", ")}`] : []),
  ];
  const meant = near.length > 0 ? `; perhaps ${near.join(", ")}` : "";
  throw new TieoutError("COLUMN_MISMATCH", {
    subject: missing[0] ?? extra[0] ?? "",
    cause: `the SELECT ${parts.join(" and ")}`,
    remedy: `select exactly these columns: ${declared.join(", ")}${meant}`,
    at: { missing: missing.length, extra: extra.length },
  });
}
