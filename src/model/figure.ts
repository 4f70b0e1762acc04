import { type Column, type ColumnType, typeOf } from "./columns.js";
import { decimalText, divideDecimal, parseDecimal, rescale } from "./decimal.js";
import { columnType } from "./declared.js";
import type { RelationName } from "./ids.js";
import type { FigureSpec } from "./job.js";
import type { Figure } from "./manifest.js";
import { scaleOf } from "./money.js";
import type { Order, Table } from "./relation.js";

/** Decimals that an average has beyond those of its column. */
const AVG_DECIMALS = 4;

/** The artefact that a figure is computed from. */
export interface FigureSubject {
  readonly relation: RelationName;
  readonly columns: readonly Column[];
  /** The artefact's own order: what `top` is the top of. */
  readonly order_by: readonly Order[];
}

/** The part of a dialect that a figure's question needs. */
export interface FigureSpelling {
  readonly id: (name: string) => string;
  readonly from: (relation: string) => string;
  readonly type: (t: ColumnType) => string;
  readonly canonical: (expression: string, t: ColumnType) => string;
  readonly order: (order_by: readonly Order[], columns: readonly Column[]) => string;
}

/**
 * The question that a figure asks, and how many rows its answer has at most (currencies, or `top`).
 * Precondition: the job was checked (`problems.ts`).
 */
export function figureQuestion(
  spec: FigureSpec,
  subject: FigureSubject,
  d: FigureSpelling,
): { readonly sql: string; readonly limit: number } {
  const from = d.from(subject.relation);
  if (spec.top !== undefined) {
    // No alias is a column's own name, for ORDER BY would then mean the text and not the value.
    const cells = topColumns(spec, subject.columns).map(
      ({ name, type }, i) => `${d.canonical(d.id(name), typeOf(type))} AS ${d.id(`cell ${i}`)}`,
    );
    const order = d.order(subject.order_by, subject.columns);
    const sql = `SELECT ${cells.join(", ")} FROM ${from} ORDER BY ${order} LIMIT ${spec.top}`;
    return { sql, limit: spec.top };
  }
  const type = spec.column ? columnType(subject.columns, spec.column) : null;
  const values = valueSql(spec, type, d);
  if (type?.kind !== "money_by" || !isAmount(spec))
    return { sql: `SELECT ${values} FROM ${from}`, limit: 1 };
  const by = d.canonical(d.id(type.by), { kind: "text" });
  const sql =
    `SELECT ${by} AS ${d.id("currency")}, ${values} FROM ${from} ` +
    `WHERE ${d.id(spec.column ?? "")} IS NOT NULL GROUP BY 1 ORDER BY 1`;
  return { sql, limit: MOST_CURRENCIES };
}

/** ISO 4217 has fewer; the `columns` check refuses any other. */
const MOST_CURRENCIES = 1000;

/**
 * The figure out of its question's answer. An amount has its currency's decimals; a sum, min, max
 * or avg over no value is null, not zero; an avg is rounded half to even at 4 decimals beyond its
 * column's.
 */
export function figureOf(
  name: string,
  spec: FigureSpec,
  columns: readonly Column[],
  answer: Table["rows"],
): Figure {
  const base = {
    name,
    artefact: spec.artefact,
    aggregate: spec.aggregate ?? null,
    column: spec.column ?? null,
  };
  if (spec.top !== undefined) {
    const names = topColumns(spec, columns).map((c) => c.name);
    const rows = answer.map((row) => Object.fromEntries(names.map((n, i) => [n, row[i] ?? null])));
    return { ...base, value: null, rows, unit: null };
  }
  const type = spec.column ? columnType(columns, spec.column) : null;
  if (type?.kind === "money_by" && isAmount(spec))
    return { ...base, value: null, by_currency: byCurrency(answer), unit: null };
  const unit = type?.kind === "money" && isAmount(spec) ? type.currency : null;
  const [value = null, count = null] = answer[0] ?? [];
  if (spec.aggregate !== "avg" || type === null) return { ...base, value, unit };
  return { ...base, value: average(value, count, type), unit };
}

function valueSql(spec: FigureSpec, type: ColumnType | null, d: FigureSpelling): string {
  const as = (expression: string, name: string): string => `${expression} AS ${d.id(name)}`;
  const asText = (e: string): string => `CAST(${e} AS ${d.type({ kind: "text" })})`;
  if (type === null || !spec.column) return as("count(*)", "value");
  const column = d.id(spec.column);
  switch (spec.aggregate) {
    case "count":
      return as(`count(${column})`, "value");
    case "count_null":
      return as(`count(CASE WHEN ${column} IS NULL THEN 1 END)`, "value");
    case "count_distinct":
      return as(`count(DISTINCT ${column})`, "value");
    case "sum":
      return as(asText(`sum(${column})`), "value");
    case "avg":
      return `${as(asText(`sum(${column})`), "value")}, ${as(`count(${column})`, "values")}`;
    default:
      return as(d.canonical(`${spec.aggregate}(${column})`, type), "value");
  }
}

/** Whether the figure of a money column is itself money. */
function isAmount(spec: FigureSpec): boolean {
  return spec.aggregate === "sum" || spec.aggregate === "min" || spec.aggregate === "max";
}

function average(sum: string | null, count: string | null, type: ColumnType): string | null {
  const exact = sum === null ? null : parseDecimal(sum);
  if (exact === null || count === null) return null;
  const scale = (type.kind === "decimal" ? type.scale : 0) + AVG_DECIMALS;
  return decimalText(divideDecimal(exact, BigInt(count), scale));
}

function byCurrency(answer: Table["rows"]): Record<string, string> {
  return Object.fromEntries(
    answer.map(([currency, amount]) => {
      const exact = parseDecimal(amount ?? "");
      const scale = scaleOf(currency ?? "");
      if (!currency || exact === null || scale === null)
        throw new Error("an amount without a known currency passed the columns check");
      return [currency, decimalText(rescale(exact, scale))];
    }),
  );
}

function topColumns(spec: FigureSpec, columns: readonly Column[]): readonly Column[] {
  if (!spec.columns) return columns;
  return spec.columns.flatMap((name) => columns.filter((c) => c.name === name));
}
