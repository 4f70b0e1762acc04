import type { Caps } from "../model/caps.js";
import type { Column } from "../model/columns.js";
import { columnOf } from "../model/predicate.js";
import type { Relation } from "../model/relation.js";
import { SOURCE_COLUMNS } from "../model/relations.js";

/** The columns that an answer shows, of those that it should. */
export interface Shown {
  readonly columns: readonly Column[];
  /** How many were asked for: all of the relation when none was named. */
  readonly wanted: number;
  readonly total: number;
}

/** The columns that a row read shows. @throws UNKNOWN_COLUMN */
export function shownColumns(
  relation: Relation,
  named: readonly string[] | undefined,
  caps: Caps,
): Shown {
  const total = relation.columns.length;
  if (named === undefined)
    return { columns: relation.columns.slice(0, caps.columns), wanted: total, total };
  const readable = readableColumns(relation);
  return { columns: named.map((name) => columnOf(readable, name)), wanted: named.length, total };
}

/** The columns that may be named: the relation's own and, of an input, the ones on its source. */
export function readableColumns(relation: Relation): readonly Column[] {
  const isInput = relation.files.some((file) => file.source !== undefined);
  return isInput ? [...relation.columns, ...SOURCE_COLUMNS] : relation.columns;
}

/** Whether the relation is a text, read as (line, text). */
export function isText(relation: Relation): boolean {
  return relation.name.startsWith("log.") || relation.files.some((f) => f.format === "text");
}
