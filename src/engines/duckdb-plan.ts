import { wholeNumber } from "./duckdb-calls.js";
import { toldError } from "./duckdb-errors.js";
import { isTree, offsetOf, refusal, type Tree, textOf, treeOf } from "./duckdb-tree.js";

const FLOATS = new Set(["DOUBLE", "FLOAT"]);

/**
 * Refuses SQL that computes in floats anywhere, whatever it casts the result to (I009): the bound
 * plan (the answer of json_serialize_plan) has the type of every value, macros and implicit casts
 * included. @throws REFUSED; UNKNOWN_COLUMN, SQL when the SQL does not bind
 */
export function vetPlan(sql: string, serialised: string): void {
  const answer = treeOf(JSON.parse(serialised));
  if (answer.error === true) throw unbound(sql, answer);
  const at = floatIn(answer.plans, null);
  if (at === null) return;
  throw refusal(
    { sql },
    at.from ?? {},
    "this computes in floats, which round",
    "write money_div(a, b, scale) for a quotient, // between integers, a cast to DECIMAL for text",
  );
}

function unbound(sql: string, answer: Tree) {
  const optional = (key: string) => (typeof answer[key] === "string" ? { [key]: answer[key] } : {});
  return toldError(
    {
      error_type: textOf(answer.error_type),
      error_message: textOf(answer.error_message),
      ...optional("position"),
      ...optional("name"),
      ...optional("candidates"),
    },
    sql,
  );
}

/** The innermost node with a place in the SQL around a float; null when there is no float. */
function floatIn(x: unknown, from: Tree | null): { readonly from: Tree | null } | null {
  if (Array.isArray(x)) return first(x, from);
  if (!isTree(x)) return null;
  if (typeof x.id === "string" && FLOATS.has(x.id)) return { from };
  const near = offsetOf(x) === null ? from : x;
  const interval = intervalNumber(x);
  return interval === null ? first(Object.values(x), near) : floatIn(interval, near);
}

function first(list: readonly unknown[], from: Tree | null): { readonly from: Tree | null } | null {
  for (const x of list) {
    const found = floatIn(x, from);
    if (found !== null) return found;
  }
  return null;
}

/** INTERVAL n DAYS goes through a float and back, which is exact for the whole numbers it takes. */
function intervalNumber(node: Tree): unknown {
  if (node.expression_class !== "BOUND_FUNCTION") return null;
  if (!/^to_[a-z]+$/.test(String(node.name))) return null;
  return wholeNumber(node);
}
