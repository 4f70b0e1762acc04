import type { Dialect } from "../dialects/dialect.js";
import type { Relation, Table } from "../model/relation.js";
import { type Aggregate, valueType } from "./aggregate-plan.js";
import { cellSql, type RawCell, type RawRow, rawCells, typesOf, widthOf } from "./cells.js";

/** A group as it was fetched. `value` of an average is the sum of its column. */
export interface RawGroup {
  readonly by: RawRow;
  readonly value: RawCell | null;
  readonly rows: number;
  readonly null_count: number;
}

export interface RawGroups {
  /** The greatest value first, then by the keys; no more than were asked for. */
  readonly groups: readonly RawGroup[];
  /** Over all groups, those that were not fetched included. */
  readonly groups_total: number;
  readonly rows_matched: number;
  readonly null_count: number;
}

/** The question whose answer `rawGroups` reads. Totals over all groups come with every row. */
export function aggregateSql(
  asked: Aggregate,
  relation: Relation,
  condition: string,
  most: { readonly limit: number; readonly cell: number },
  d: Dialect,
): string {
  // No alias can be a column's name, for GROUP BY could then mean the wrong one.
  const keys = asked.by.map((column, i) => ({ name: `key ${i}`, of: d.id(column.name) }));
  const id = { value: d.id("the value"), rows: d.id("the rows"), nulls: d.id("the nulls") };
  const column = asked.of === null ? "1" : d.id(asked.of.column.name);
  const inner = [
    ...keys.map((key) => `${key.of} AS ${d.id(key.name)}`),
    `${valueSql(asked, column, d)} AS ${id.value}`,
    `${asked.fn === "avg" ? `avg(${column})` : valueSql(asked, column, d)} AS ${d.id("the rank")}`,
    `count(*) AS ${id.rows}`,
    `count(*) - count(${column}) AS ${id.nulls}`,
  ];
  const grouping = keys.length === 0 ? "" : ` GROUP BY ${keys.map((key) => key.of).join(", ")}`;
  const types = [...typesOf(asked.by), valueType(asked)];
  const outer = [
    ...[...keys.map((key) => d.id(key.name)), id.value].map((expression, i) =>
      cellSql(expression, types[i] ?? { kind: "text" }, most.cell, d),
    ),
    id.rows,
    id.nulls,
    "count(*) OVER ()",
    `sum(${id.rows}) OVER ()`,
    `sum(${id.nulls}) OVER ()`,
  ];
  const from = `${d.from(relation.name)} WHERE ${condition}${grouping}`;
  const order = d.order([{ column: "the rank", abs: false, down: true }], keys);
  return (
    `SELECT ${outer.join(", ")} FROM (SELECT ${inner.join(", ")} FROM ${from}) AS groups ` +
    `ORDER BY ${order} LIMIT ${most.limit}`
  );
}

function valueSql({ fn, of }: Aggregate, column: string, d: Dialect): string {
  if (of === null) return "count(*)";
  switch (fn) {
    case "count":
      return `count(${column})`;
    case "count_null":
      return `count(*) - count(${column})`;
    case "count_distinct":
      return `count(DISTINCT ${column})`;
    case "min":
    case "max":
      return `${fn}(${column})`;
    default:
      return `CAST(sum(${column}) AS ${d.type(valueType({ fn, of, by: [], currency: null }))})`;
  }
}

export function rawGroups(asked: Aggregate, rows: Table["rows"]): RawGroups {
  const types = [...typesOf(asked.by), valueType(asked)];
  const width = widthOf(types);
  const groups = rows.map((row) => {
    const cells = rawCells(types, row);
    const [count, nulls] = numbers(row.slice(width, width + 2));
    return {
      by: cells.slice(0, -1),
      value: cells.at(-1) ?? null,
      rows: count ?? 0,
      null_count: nulls ?? 0,
    };
  });
  const [groups_total = 0, rows_matched = 0, null_count = 0] = numbers(rows[0]?.slice(-3) ?? []);
  return { groups, groups_total, rows_matched, null_count };
}

function numbers(texts: readonly (string | null)[]): number[] {
  return texts.map(Number);
}
