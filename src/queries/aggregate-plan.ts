import {
  type Column,
  type ColumnType,
  isExactDecimal,
  isMoney,
  isNumeric,
  typeOf,
} from "../model/columns.js";
import { TieoutError } from "../model/errors.js";
import { columnOf } from "../model/predicate.js";
import type { AggregateInput } from "../model/read.js";

/** An aggregate whose names were resolved. */
export interface Aggregate {
  readonly fn: AggregateInput["fn"];
  /** Null: rows are counted. */
  readonly of: { readonly column: Column; readonly type: ColumnType } | null;
  /**
   * What was asked for and, last, the currency column of an amount whose currency differs by row.
   */
  readonly by: readonly Column[];
  /** Position in `by` of the amount's currency, or null. */
  readonly currency: number | null;
}

/** @throws UNKNOWN_COLUMN, BAD_VALUE */
export function aggregateOf(input: AggregateInput, columns: readonly Column[]): Aggregate {
  const { fn } = input;
  const by = (input.by ?? []).map((name) => columnOf(columns, name));
  if (input.column === undefined) {
    if (fn !== "count") throw badAggregate(fn, `${fn} needs a column`, "name one in column");
    return { fn, of: null, by, currency: null };
  }
  const column = columnOf(columns, input.column);
  const type = typeOf(column.type);
  refuseInexact(fn, column, type);
  const of = { column, type };
  if (type.kind !== "money_by" || !isAmount(fn)) return { fn, of, by, currency: null };
  const currency = columnOf(columns, type.by);
  const at = by.findIndex((one) => one.name === currency.name);
  return at >= 0
    ? { fn, of, by, currency: at }
    : { fn, of, by: [...by, currency], currency: by.length };
}

function refuseInexact(fn: Aggregate["fn"], column: Column, type: ColumnType): void {
  if (fn === "avg" && isMoney(type))
    throw badAggregate(
      column.name,
      "an average of money is inexact",
      "ask for sum and count, or make a column with money_div(a, b, scale)",
    );
  if ((fn === "sum" || fn === "avg") && !isNumeric(type))
    throw badAggregate(
      column.name,
      `${fn} needs a number and the column is ${column.type}`,
      "use count, count_null, count_distinct, min or max",
    );
}

function badAggregate(subject: string, cause: string, remedy: string): TieoutError {
  return new TieoutError("BAD_VALUE", { subject, cause, remedy });
}

/** Whether the result for a money column is itself money. */
export function isAmount(fn: Aggregate["fn"]): boolean {
  return fn === "sum" || fn === "min" || fn === "max";
}

/** As many digits as a sum can have: declared decimals hold 28. */
const SUM_DIGITS = 38;

/** The type of the value that the engine gives. */
export function valueType({ fn, of }: Aggregate): ColumnType {
  if (of === null || fn === "count" || fn === "count_null" || fn === "count_distinct")
    return { kind: "integer" };
  if (fn === "min" || fn === "max") return of.type;
  const scale = isExactDecimal(of.type) ? of.type.scale : 0;
  return { kind: "decimal", precision: SUM_DIGITS, scale };
}
