import { z } from "zod";
import { type Column, type ColumnType, isExactDecimal, typeOf } from "./columns.js";
import { nearest, TieoutError } from "./errors.js";
import { plain } from "./visible.js";

/** What may be asked of one column. Null satisfies `is_null` alone, `ne` included. */
const OPS = [
  "eq",
  "ne",
  "lt",
  "lte",
  "gt",
  "gte",
  "contains",
  "starts_with",
  "ends_with",
  "in",
  "between",
  "is_null",
  "not_null",
] as const;
export type Op = (typeof OPS)[number];

const Value = z.union(
  [
    z
      .string()
      .max(1000, "a value has at most 1000 characters: use starts_with on a shorter prefix"),
    z.boolean(),
    z.int(),
  ],
  "a value is a string, a boolean or a whole number; write a decimal as a string such as '13.70'",
);
export type Value = z.infer<typeof Value>;

export const Condition = z.strictObject({
  column: z.string().max(63, "a column's name has at most 63 characters: describe lists them"),
  op: z.enum(OPS, `op is one of ${OPS.join(", ")}`),
  value: Value.optional().describe("for every op of one value"),
  values: z
    .array(Value)
    .max(50, "at most 50 values: ask for the others in a second call")
    .optional()
    .describe("for in (1 to 50) and between (the two ends, both inclusive)"),
});
export type Condition = z.infer<typeof Condition>;

/** A flat list that must hold together; there is no or, no nesting and no SQL text. */
export const Conditions = z
  .array(Condition)
  .min(1, "all lists at least one condition: use head to read without one")
  .max(8, "all lists at most 8 conditions: drop the least selective ones");

/** A condition whose column exists and whose values are canonical text of the column's type. */
export interface Bound {
  readonly column: string;
  readonly type: ColumnType;
  readonly op: Op;
  readonly values: readonly string[];
}

const LITERAL: ReadonlySet<Op> = new Set(["contains", "starts_with", "ends_with"]);
const ORDERED: ReadonlySet<Op> = new Set(["lt", "lte", "gt", "gte", "between"]);

/**
 * Conditions made ready to be bound. A value may spell an unseen character as answers show it,
 * `\u{202e}`.
 * @throws UNKNOWN_COLUMN with the nearest name; BAD_VALUE for an op, or a text, that the column's
 * type does not take (13.704 on two decimals would be rounded, so it is refused)
 */
export function bound(all: readonly Condition[], columns: readonly Column[]): Bound[] {
  return all.map((condition) => {
    const column = columnOf(columns, condition.column);
    const type = typeOf(column.type);
    const problem = opProblem(condition.op, type);
    if (problem) throw badValue(column, problem);
    const values = givenValues(condition, column).map((value) => {
      const read = canonicalValue(value, type);
      if (read.text === null) throw badValue(column, read.expected);
      return read.text;
    });
    return { column: column.name, type, op: condition.op, values };
  });
}

/** The column of this name. @throws UNKNOWN_COLUMN, naming the nearest one */
export function columnOf(columns: readonly Column[], name: string): Column {
  const found = columns.find((column) => column.name === name);
  if (found) return found;
  const near = nearest(
    name,
    columns.map((column) => column.name),
  );
  throw new TieoutError("UNKNOWN_COLUMN", {
    subject: name.slice(0, 63),
    cause: "the relation has no column of this name",
    remedy: near ? `use ${near}` : "describe the relation and use one of its columns",
  });
}

function badValue(column: Column, expected: string): TieoutError {
  return new TieoutError("BAD_VALUE", {
    subject: column.name,
    cause: `the condition does not fit the column's type ${column.type}`,
    remedy: expected,
  });
}

function opProblem(op: Op, type: ColumnType): string | null {
  if (LITERAL.has(op) && type.kind !== "text")
    return `${op} is for text columns: use eq, in or between`;
  if (ORDERED.has(op) && type.kind === "boolean") return "use eq with true or false";
  return null;
}

function givenValues(condition: Condition, column: Column): readonly Value[] {
  const { op, value, values } = condition;
  const refuse = (expected: string): never => {
    throw badValue(column, `${op} takes ${expected}`);
  };
  if (op === "is_null" || op === "not_null")
    return value === undefined && values === undefined ? [] : refuse("neither value nor values");
  if (op === "in")
    return value === undefined && values && values.length > 0
      ? values
      : refuse("values, a list of 1 to 50, and no value");
  if (op === "between")
    return value === undefined && values?.length === 2
      ? values
      : refuse("values, the two ends, and no value");
  return value !== undefined && values === undefined ? [value] : refuse("one value and no values");
}

type ReadValue = { readonly text: string } | { readonly text: null; readonly expected: string };

const refused = (expected: string): ReadValue => ({ text: null, expected });

/** A value as canonical text of a type, or the sentence that says what was expected. */
export function canonicalValue(value: Value, type: ColumnType): ReadValue {
  const text = typeof value === "string" ? plain(value) : String(value);
  switch (type.kind) {
    case "text":
      return { text };
    case "boolean":
      return text === "true" || text === "false" ? { text } : refused("write true or false");
    case "date":
      return isDate(text) ? { text } : refused("write a date that exists as YYYY-MM-DD");
    case "timestamp":
      return canonicalTimestamp(text);
    default:
      return canonicalNumber(text, type);
  }
}

/** Integers are signed 64 bits, so 18 digits always fit. */
const INTEGER_DIGITS = 18;

function canonicalNumber(text: string, type: ColumnType): ReadValue {
  const m = /^(-?)0*(\d+)(?:\.(?=\d)(\d*?)0*)?$/.exec(text);
  if (!m) return refused("write a plain number such as -13.70, as text");
  const [, sign = "", whole = "0", fraction = ""] = m;
  const scale = isExactDecimal(type) ? type.scale : 0;
  const digits = isExactDecimal(type) ? type.precision - type.scale : INTEGER_DIGITS;
  if (fraction.length > scale)
    return refused(
      scale === 0 ? "write a whole number" : `write at most ${scale} decimals: nothing is rounded`,
    );
  if (whole !== "0" && whole.length > digits)
    return refused(`write at most ${digits} digits before the decimal point`);
  const number = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, "0")}`;
  return { text: /[1-9]/.test(number) ? sign + number : number };
}

/** Without an offset it is UTC, as answers show it. */
const TIMESTAMP = new RegExp(
  String.raw`^(\d{4}-\d{2}-\d{2})` +
    String.raw`(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?)?` +
    String.raw`(Z|[+-]\d{2}:\d{2})?$`,
);

function canonicalTimestamp(text: string): ReadValue {
  const m = TIMESTAMP.exec(text);
  const [, day = "", hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] =
    m ?? [];
  if (!m || !isDate(day))
    return refused("write a time that exists as YYYY-MM-DDTHH:MM:SS, with Z or an offset");
  const at = Date.parse(`${day}T${hour}:${minute}:${second}${zone}`);
  if (Number.isNaN(at)) return refused("write an offset such as +02:00, or Z");
  const micros = fraction.replace(/0+$/, "");
  const part = micros === "" ? "" : `.${micros.padEnd(6, "0")}`;
  return { text: `${new Date(at).toISOString().slice(0, 19)}${part}Z` };
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith("0000")) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
