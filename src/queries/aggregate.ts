import { capsOf } from "../model/caps.js";
import { type Column, type ColumnType, isMoney, isNumeric, typeOf } from "../model/columns.js";
import { TieoutError } from "../model/errors.js";
import { bound, columnOf } from "../model/predicate.js";
import type { AggregateAnswer, AggregateInput } from "../model/read.js";
import type { Relation } from "../model/relation.js";
import { aggregateSql, rawGroups } from "./aggregate-sql.js";
import { conditionsSql } from "./conditions.js";
import { cutGroups } from "./groups.js";
import { type Reading, readableColumns } from "./slice.js";

/** An aggregate whose names were resolved. */
export interface Aggregate {
  readonly fn: AggregateInput["fn"];
  /** Null: rows are counted. */
  readonly of: { readonly column: Column; readonly type: ColumnType } | null;
  /** What was asked for and, last, the currency column of an amount whose currency differs by row. */
  readonly by: readonly Column[];
  /** Position in `by` of the amount's currency, or null. */
  readonly currency: number | null;
}

/**
 * One number, or one for each group, over the rows for which all conditions hold. Sums are exact;
 * an amount never mixes currencies; over no rows the value is null and not 0 (a count is 0).
 * @throws UNKNOWN_COLUMN; BAD_VALUE for a function that the column's type does not take; the engine's
 * TIMEOUT, MEMORY
 */
export async function aggregate(
  relation: Relation,
  input: AggregateInput,
  { engine, caps: configured }: Reading,
): Promise<AggregateAnswer> {
  const caps = capsOf(configured);
  const columns = readableColumns(relation);
  const asked = aggregateOf(input, columns);
  const condition = conditionsSql(bound(input.all ?? [], columns), engine.dialect);
  const limit = asked.by.length === 0 ? 1 : caps.groups;
  const table = await engine.ask({
    sql: aggregateSql(asked, relation, condition.sql, { limit, cell: caps.cell }, engine.dialect),
    params: condition.params,
    relations: [relation],
    limit,
  });
  return cutGroups({ relation, asked, caps, ...rawGroups(asked, table.rows) });
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
