import type { Dialect } from "../dialects/dialect.js";
import type { Bound } from "../model/predicate.js";

/** Conditions as SQL, and the texts to bind: `$from` is the first of them. */
export interface ConditionsSql {
  readonly sql: string;
  readonly params: readonly string[];
}

/** `true` when there are no conditions. No text of a caller becomes part of the SQL. */
export function conditionsSql(all: readonly Bound[], dialect: Dialect): ConditionsSql {
  const params: string[] = [];
  const parts = all.map((one) => {
    const values = one.values.map((value) => dialect.param(params.push(value), one.type));
    return conditionSql(one, dialect.id(one.column), values);
  });
  return { sql: parts.length === 0 ? "true" : parts.join(" AND "), params };
}

const COMPARE = { eq: "=", ne: "<>", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

function conditionSql({ op }: Bound, column: string, values: readonly string[]): string {
  const [first, second] = values;
  switch (op) {
    case "is_null":
      return `${column} IS NULL`;
    case "not_null":
      return `${column} IS NOT NULL`;
    case "in":
      return `${column} IN (${values.join(", ")})`;
    case "between":
      return `${column} BETWEEN ${first} AND ${second}`;
    case "contains":
      return `position(${first} IN ${column}) > 0`;
    case "starts_with":
      return `left(${column}, length(${first})) = ${first}`;
    case "ends_with":
      return `right(${column}, length(${first})) = ${first}`;
    default:
      return `${column} ${COMPARE[op]} ${first}`;
  }
}
