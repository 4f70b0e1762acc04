import { WIDEST_DECIMAL } from "../model/columns.js";
import {
  AGGREGATES,
  CLOCK_WORDS,
  insteadOf,
  isNeverAllowed,
  ORDERED_AGGREGATES,
  SCALARS,
  WINDOWS,
} from "./duckdb-functions.js";
import {
  isTree,
  listOf,
  onlyKeys,
  refusal,
  type Tree,
  textOf,
  treeOf,
  treesOf,
  type Walk,
} from "./duckdb-tree.js";

/** Walks a subquery where an expression holds one. */
export type IntoQuery = (query: Tree) => void;
type Visit = (node: Tree, walk: Walk, query: IntoQuery) => void;

const COMMON = ["class", "type", "alias", "query_location"];
const TYPES = new Set([
  "NULL",
  "BOOLEAN",
  "TINYINT",
  "SMALLINT",
  "INTEGER",
  "BIGINT",
  "HUGEINT",
  "UTINYINT",
  "USMALLINT",
  "UINTEGER",
  "UBIGINT",
  "VARCHAR",
  "DATE",
  "TIMESTAMP",
  "TIMESTAMP WITH TIME ZONE",
  "INTERVAL",
  "DECIMAL",
  "INTEGER_LITERAL",
  "STRING_LITERAL",
]);
const OPERATOR_TYPES = new Set([
  "COMPARE_IN",
  "COMPARE_NOT_IN",
  "OPERATOR_NOT",
  "OPERATOR_IS_NULL",
  "OPERATOR_IS_NOT_NULL",
  "OPERATOR_COALESCE",
  "OPERATOR_NULLIF",
  "GROUPING_FUNCTION",
]);
/** INTERVAL n DAYS is parsed as to_days(CAST(trunc(CAST(n AS DOUBLE)) AS INTEGER)): exact for whole n. */
const INTERVALS = new Set([
  "to_days",
  "to_weeks",
  "to_months",
  "to_years",
  "to_hours",
  "to_minutes",
]);
const MONEY_SCALES = 10;

const VISITS: Readonly<Record<string, Visit>> = {
  COLUMN_REF: columnRef,
  CONSTANT: constant,
  CAST: cast,
  FUNCTION: call,
  WINDOW: windowed,
  SUBQUERY: subquery,
  STAR: star,
  CASE: caseOf,
  COMPARISON: (node, walk, query) => {
    onlyKeys(walk, node, [...COMMON, "left", "right"]);
    expressions([node.left, node.right], walk, query);
  },
  BETWEEN: (node, walk, query) => {
    onlyKeys(walk, node, [...COMMON, "input", "lower", "upper"]);
    expressions([node.input, node.lower, node.upper], walk, query);
  },
  CONJUNCTION: (node, walk, query) => {
    onlyKeys(walk, node, [...COMMON, "children"]);
    expressions(listOf(node.children), walk, query);
  },
  OPERATOR: (node, walk, query) => {
    onlyKeys(walk, node, [...COMMON, "children"]);
    if (!OPERATOR_TYPES.has(textOf(node.type)))
      throw refusal(
        walk,
        node,
        "lists, structs and subscripts are not accepted",
        "use plain columns and values",
      );
    expressions(listOf(node.children), walk, query);
  },
};

/** Walks an expression of foreign SQL; null stands for a clause that is absent. */
export function expression(x: unknown, walk: Walk, query: IntoQuery): void {
  if (x === null || x === undefined) return;
  const node = treeOf(x);
  walk.count();
  const visit = VISITS[textOf(node.class)];
  if (visit === undefined)
    throw refusal(
      walk,
      node,
      `${words(node.class)} is not accepted`,
      "write it with plain operators and functions",
    );
  visit(node, walk, query);
}

export function expressions(list: readonly unknown[], walk: Walk, query: IntoQuery): void {
  for (const x of list) expression(x, walk, query);
}

/** The expressions of ORDER BY items. */
export function orders(list: unknown, walk: Walk, query: IntoQuery): void {
  for (const item of treesOf(list)) {
    onlyKeys(walk, item, ["type", "null_order", "expression"]);
    expression(item.expression, walk, query);
  }
}

function columnRef(node: Tree, walk: Walk): void {
  onlyKeys(walk, node, [...COMMON, "column_names"]);
  const names = listOf(node.column_names).map(textOf);
  const [only] = names;
  if (names.length === 1 && only !== undefined && CLOCK_WORDS.has(only.toLowerCase()))
    throw refusal(walk, node, `${only} differs from run to run`, insteadOf("now"));
}

function constant(node: Tree, walk: Walk): void {
  onlyKeys(walk, node, [...COMMON, "value"]);
  typed(treeOf(treeOf(node.value).type), node, walk);
}

function cast(node: Tree, walk: Walk, query: IntoQuery): void {
  onlyKeys(walk, node, [...COMMON, "child", "cast_type", "try_cast"]);
  typed(treeOf(node.cast_type), node, walk);
  expression(node.child, walk, query);
}

function typed(type: Tree, node: Tree, walk: Walk): void {
  const name = textOf(type.id);
  if (name === "DOUBLE" || name === "FLOAT")
    throw refusal(
      walk,
      node,
      "floats are not accepted: they round",
      "use DECIMAL(p,s): 1.5, not 1.5e0",
    );
  if (!TYPES.has(name))
    throw refusal(
      walk,
      node,
      `type ${words(typeName(type))} is not accepted`,
      "use VARCHAR, BIGINT, DECIMAL(p,s), DATE, TIMESTAMP or BOOLEAN",
    );
  const info = type.type_info;
  const wide = isTree(info) && typeof info.width === "number" && info.width > WIDEST_DECIMAL;
  if (wide && node.class === "CAST")
    throw refusal(
      walk,
      node,
      `a DECIMAL of more than ${WIDEST_DECIMAL} digits can overflow when summed`,
      `cast to DECIMAL(${WIDEST_DECIMAL},s) at most`,
    );
}

function typeName(type: Tree): unknown {
  const info = type.type_info;
  return isTree(info) && typeof info.name === "string" ? info.name : type.id;
}

function call(node: Tree, walk: Walk, query: IntoQuery): void {
  onlyKeys(
    walk,
    node,
    [
      ...COMMON,
      "function_name",
      "schema",
      "children",
      "filter",
      "order_bys",
      "distinct",
      "is_operator",
    ],
    ["export_state", "catalog"],
  );
  const name = named(node, walk);
  const by = listOf(treeOf(node.order_bys).orders);
  if (ORDERED_AGGREGATES.has(name) && by.length === 0)
    throw refusal(
      walk,
      node,
      `${name} without an order differs from run to run`,
      `write ${name}(x, ',' ORDER BY x)`,
    );
  expression(node.filter, walk, query);
  orders(by, walk, query);
  const interval = INTERVALS.has(name) ? wholeNumber(node) : null;
  const children = interval === null ? listOf(node.children) : [interval];
  if (name === "money_div") moneyDiv(children, node, walk);
  expressions(children, walk, query);
}

function named(node: Tree, walk: Walk): string {
  const name = textOf(node.function_name).toLowerCase();
  const own = node.schema === "" || node.schema === "main";
  const listed = SCALARS.has(name) || AGGREGATES.has(name) || walk.allow.has(name);
  if (own && listed && !isNeverAllowed(name)) return name;
  throw refusal(walk, node, `${words(name)} is not accepted`, insteadOf(name));
}

function moneyDiv(children: readonly unknown[], node: Tree, walk: Walk): void {
  const value = isTree(children[2]) ? children[2].value : null;
  const scale = isTree(value) ? value.value : null;
  if (
    children.length !== 3 ||
    typeof scale !== "number" ||
    !Number.isInteger(scale) ||
    scale < 0 ||
    scale > MONEY_SCALES
  )
    throw refusal(
      walk,
      node,
      "money_div takes two values and a scale",
      `write money_div(a, b, 2); the scale is a number from 0 to ${MONEY_SCALES}`,
    );
  if (JSON.stringify(children).includes('"function_name":"money_div"'))
    throw refusal(
      walk,
      node,
      "money_div inside money_div is not accepted",
      "compute the inner one in a CTE",
    );
}

/**
 * The number in to_days(CAST(trunc(CAST(n AS DOUBLE)) AS INTEGER)), or null for another shape. The
 * same for a parse tree and a bound plan, which name functions by different keys.
 */
export function wholeNumber(call: Tree): unknown {
  const [outer] = treesOf(call.children);
  const trunc = outer?.child;
  if (!isTree(trunc) || (trunc.function_name ?? trunc.name) !== "trunc") return null;
  const [inner] = treesOf(trunc.children);
  return inner?.child ?? null;
}

function windowed(node: Tree, walk: Walk, query: IntoQuery): void {
  onlyKeys(
    walk,
    node,
    [
      ...COMMON,
      "function_name",
      "schema",
      "children",
      "partitions",
      "orders",
      "start",
      "end",
      "start_expr",
      "end_expr",
      "offset_expr",
      "default_expr",
      "ignore_nulls",
      "filter_expr",
      "exclude_clause",
      "distinct",
      "arg_orders",
    ],
    ["catalog"],
  );
  const name = textOf(node.function_name).toLowerCase();
  const aggregate = node.type === "WINDOW_AGGREGATE";
  if (aggregate ? !AGGREGATES.has(name) : !WINDOWS.has(textOf(node.type)))
    throw refusal(walk, node, `${words(name)} is not accepted over a window`, insteadOf(name));
  const byRows = /ROWS|GROUPS/.test(`${textOf(node.start)} ${textOf(node.end)}`);
  const needsOrder = !aggregate || byRows || ORDERED_AGGREGATES.has(name);
  if (needsOrder && listOf(node.orders).length === 0)
    throw refusal(
      walk,
      node,
      `${name} over rows without an order differs from run to run`,
      `write ${name}(…) OVER (PARTITION BY … ORDER BY …) with an order that has no ties`,
    );
  expressions([...listOf(node.children), ...listOf(node.partitions)], walk, query);
  orders(node.orders, walk, query);
  orders(node.arg_orders, walk, query);
  expressions(
    [node.start_expr, node.end_expr, node.offset_expr, node.default_expr, node.filter_expr],
    walk,
    query,
  );
}

function subquery(node: Tree, walk: Walk, query: IntoQuery): void {
  onlyKeys(walk, node, [...COMMON, "subquery_type", "subquery", "child", "comparison_type"]);
  expression(node.child, walk, query);
  query(treeOf(treeOf(node.subquery).node));
}

function star(node: Tree, walk: Walk, query: IntoQuery): void {
  onlyKeys(
    walk,
    node,
    [
      ...COMMON,
      "relation_name",
      "exclude_list",
      "qualified_exclude_list",
      "replace_list",
      "rename_list",
    ],
    ["columns", "expr"],
  );
  for (const entry of treesOf(node.replace_list)) expression(entry.value, walk, query);
}

function caseOf(node: Tree, walk: Walk, query: IntoQuery): void {
  onlyKeys(walk, node, [...COMMON, "case_checks", "else_expr"]);
  for (const check of treesOf(node.case_checks)) {
    onlyKeys(walk, check, ["when_expr", "then_expr"]);
    expressions([check.when_expr, check.then_expr], walk, query);
  }
  expression(node.else_expr, walk, query);
}

/** A name of the SQL as a message may carry it. */
function words(x: unknown): string {
  return String(x).toLowerCase().replaceAll("_", " ").slice(0, 60);
}
