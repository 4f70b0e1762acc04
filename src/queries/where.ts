import type { Dialect } from "../dialects/dialect.js";
import { capsOf } from "../model/caps.js";
import type { Column } from "../model/columns.js";
import { TieoutError } from "../model/errors.js";
import { ColumnName, type RelationRef } from "../model/ids.js";
import { type Bound, bound } from "../model/predicate.js";
import type { ReadAnswer, WhereInput } from "../model/read.js";
import type { Relation } from "../model/relation.js";
import { conditionsSql } from "./conditions.js";
import { counted, grouped } from "./notice.js";
import type { Counts } from "./page.js";
import { isText, readableColumns, type Shown, shownColumns } from "./shown.js";
import { type Reading, slice } from "./slice.js";

/**
 * The relations that a question names: one, or several texts.
 * @throws USAGE unless exactly one of `relation` and `relations` is given
 */
export function relationsAsked(
  input: Pick<WhereInput, "relation" | "relations">,
): readonly RelationRef[] {
  if (input.relation !== undefined && input.relations === undefined) return [input.relation];
  if (input.relation === undefined && input.relations !== undefined) return input.relations;
  throw new TieoutError("USAGE", {
    subject: "where",
    cause: "exactly one of relation and relations says what is read",
    remedy: "pass relation, or for two to eight texts relations, and leave the other out",
  });
}

/**
 * The rows for which all conditions hold, in file order, counted in full. `relations` are those of
 * `relationsAsked`, in that order. On texts, `context` adds the lines around each match and a
 * column `match`, and several texts are read one after the other with a column `relation`.
 * @throws UNKNOWN_COLUMN, BAD_VALUE, BAD_CURSOR, DAMAGED, USAGE; the engine's TIMEOUT, MEMORY
 */
export async function where(
  relations: readonly Relation[],
  input: WhereInput,
  reading: Reading,
): Promise<ReadAnswer> {
  const [first] = relations;
  if (!first) throw new Error("where reads at least one relation");
  if (relations.length > 1 || (input.context ?? 0) > 0) needTexts(relations);
  const { engine } = reading;
  const context = input.context ?? 0;
  const all = bound(input.all, readableColumns(first));
  const shown = shownOf(relations, first, input, reading);
  const { found, selected, params } = selection(relations, all, context, engine.dialect);
  const counts = await countsOf(relations, { found, selected, params, context }, reading);
  const names = shown.columns.map((column) => engine.dialect.id(column.name));
  return slice(
    {
      relation:
        relations.length === 1 ? first.name : `${first.name} and ${relations.length - 1} more`,
      relations,
      sql: `SELECT ${names.join(", ")} FROM ${selected}`,
      params,
      backwards: false,
      counts,
      says: (_, returned) => says(returned, counts),
      shown,
    },
    input,
    ["where", relations.map((r) => r.name), input.all, input.columns, context],
    reading,
  );
}

function needTexts(relations: readonly Relation[]): void {
  const other = relations.find((relation) => !isText(relation));
  if (!other) return;
  throw new TieoutError("USAGE", {
    subject: other.name,
    cause: "context and several relations at once are for texts, which are named log.<name>",
    remedy: "ask for this relation alone, without context",
  });
}

const RELATION: Column = { name: ColumnName.parse("relation"), type: "text" };
const MATCH: Column = { name: ColumnName.parse("match"), type: "boolean" };

function shownOf(
  relations: readonly Relation[],
  first: Relation,
  input: WhereInput,
  reading: Reading,
): Shown {
  const own = shownColumns(first, input.columns, capsOf(reading.caps));
  const added = [
    ...(relations.length > 1 ? [RELATION] : []),
    ...((input.context ?? 0) > 0 ? [MATCH] : []),
  ];
  return {
    columns: [...added, ...own.columns],
    wanted: added.length + own.wanted,
    total: added.length + own.total,
  };
}

interface Selection {
  /** FROM items, to be used with their tail: the matching rows; and all rows that are shown. */
  readonly found: string;
  readonly selected: string;
  readonly params: readonly string[];
}

function selection(
  relations: readonly Relation[],
  all: readonly Bound[],
  context: number,
  d: Dialect,
): Selection {
  const { sql: condition, params } = conditionsSql(all, d);
  const [first] = relations;
  if (first && relations.length === 1 && !isText(first)) {
    const found = `${d.from(first.name)} WHERE ${condition}`;
    return { found, selected: found, params };
  }
  const texts = relations.map((relation, i) => textLines(relation, i, condition, context, d));
  const lines = `(${texts.join(" UNION ALL ")}) AS lines`;
  const found = `${lines} WHERE "match"`;
  return {
    found,
    selected: `${context > 0 ? lines : found} ORDER BY "nth", "line"`,
    params,
  };
}

/** The matching lines of a text and those around them, each with whether it matches. */
function textLines(
  relation: Relation,
  nth: number,
  condition: string,
  context: number,
  d: Dialect,
): string {
  const from = d.from(relation.name);
  const columns = `${nth} AS "nth", ${d.text(relation.name)} AS "relation", "line", "text"`;
  if (context === 0) return `SELECT ${columns}, true AS "match" FROM ${from} WHERE ${condition}`;
  const steps = Array.from({ length: 2 * context + 1 }, (_, i) => `(${i - context})`);
  const around = `(VALUES ${steps.join(", ")}) AS steps(step)`;
  const near = `SELECT "line" + step FROM ${from}, ${around} WHERE ${condition}`;
  const match = `coalesce(${condition}, false) AS "match"`;
  return `SELECT ${columns}, ${match} FROM ${from} WHERE "line" IN (${near})`;
}

async function countsOf(
  relations: readonly Relation[],
  from: Selection & { readonly context: number },
  { engine }: Reading,
): Promise<Counts> {
  const sources = [from.found];
  if (from.context > 0) sources.push(`(SELECT 1 FROM ${from.selected}) AS shown`);
  const table = await engine.ask({
    sql: `SELECT ${sources.map((of) => `(SELECT count(*) FROM ${of})`).join(", ")}`,
    params: from.params,
    relations,
    limit: 1,
  });
  const [matched, withContext] = table.rows[0]?.map(Number) ?? [];
  if (matched === undefined) throw new Error("a count has one row");
  return {
    rows_total: relations.reduce((sum, relation) => sum + relation.rows, 0),
    rows_matched: matched,
    ...(withContext === undefined ? {} : { rows_with_context: withContext }),
  };
}

function says(returned: number, counts: Counts): string {
  const { rows_total, rows_matched, rows_with_context } = counts;
  if (rows_matched === 0) return `No row matches; there are ${grouped(rows_total)}.`;
  const matched = counted(rows_matched, "matching row");
  const shown =
    rows_with_context === undefined
      ? matched
      : `${grouped(rows_with_context)} lines around ${matched}`;
  return `${grouped(returned)} of ${shown}; there are ${grouped(rows_total)} in all.`;
}
