import { capsOf } from "../model/caps.js";
import { bound } from "../model/predicate.js";
import type { AggregateAnswer, AggregateInput } from "../model/read.js";
import type { Relation } from "../model/relation.js";
import { aggregateOf } from "./aggregate-plan.js";
import { aggregateSql, rawGroups } from "./aggregate-sql.js";
import { conditionsSql } from "./conditions.js";
import { cutGroups } from "./groups.js";
import { readableColumns } from "./shown.js";
import type { Reading } from "./slice.js";

/**
 * One number, or one for each group, over the rows for which all conditions hold. Sums are exact;
 * an amount never mixes currencies; over no rows the value is null and not 0 (a count is 0).
 * @throws UNKNOWN_COLUMN; BAD_VALUE for a function that the column's type does not take; the
 * engine's TIMEOUT, MEMORY
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
