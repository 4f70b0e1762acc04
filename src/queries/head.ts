import { capsOf } from "../model/caps.js";
import type { HeadInput, ReadAnswer } from "../model/read.js";
import type { Relation } from "../model/relation.js";
import { grouped } from "./notice.js";
import { shownColumns } from "./shown.js";
import { type Reading, slice, type Walk } from "./slice.js";

/**
 * The first rows in file order, then the following ones with `next`.
 * @throws UNKNOWN_COLUMN, BAD_CURSOR, DAMAGED; the engine's TIMEOUT, MEMORY
 */
export function head(relation: Relation, input: HeadInput, reading: Reading): Promise<ReadAnswer> {
  return fileOrder(relation, input, reading, false);
}

/** A walk over all rows of a relation, from its first row or backwards from its last. */
export async function fileOrder(
  relation: Relation,
  input: HeadInput,
  reading: Reading,
  backwards: boolean,
): Promise<ReadAnswer> {
  const { dialect } = reading.engine;
  const shown = shownColumns(relation, input.columns, capsOf(reading.caps));
  const names = shown.columns.map((column) => dialect.id(column.name));
  const walk: Walk = {
    relation: relation.name,
    relations: [relation],
    sql: `SELECT ${names.join(", ")} FROM ${dialect.from(relation.name)}`,
    params: [],
    backwards,
    counts: { rows_total: relation.rows, rows_matched: relation.rows },
    says: (at, returned) =>
      range(backwards ? relation.rows - at - returned : at, returned, relation),
    shown,
  };
  const call = [backwards ? "tail" : "head", relation.name, input.columns];
  return slice(walk, input, call, reading);
}

function range(before: number, returned: number, { rows }: Relation): string {
  if (returned === 0) return "The relation has no rows.";
  return `Rows ${grouped(before + 1)} to ${grouped(before + returned)} of ${grouped(rows)}.`;
}
