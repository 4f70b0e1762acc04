import {
  AGGREGATES,
  insteadOf,
  insteadOfWindow,
  isNeverAllowed,
  ORDERED_AGGREGATES,
  SCALARS,
  WINDOWS,
} from "./duckdb-functions.js";
import {
  type Into,
  isTree,
  listOf,
  onlyKeys,
  refusal,
  type Tree,
  textOf,
  treeOf,
  treesOf,
  type Walk,
  wordOf,
} from "./duckdb-tree.js";

const INTERVALS = new Set(
  ["days", "weeks", "months", "quarters", "years", "hours", "minutes"].map((unit) => `to_${unit}`),
);
const MONEY_SCALES = 10;

/** A function, aggregate or operator by name. */
export function call(node: Tree, walk: Walk, into: Into): void {
  onlyKeys(
    walk,
    node,
    "function_name schema children filter order_bys distinct is_operator",
    "export_state catalog",
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
  const interval = INTERVALS.has(name) ? wholeNumber(node) : null;
  const children = interval === null ? listOf(node.children) : [interval];
  if (name === "money_div") moneyDiv(children, node, walk);
  into.orders(by);
  into.expressions([...children, node.filter]);
}

function named(node: Tree, walk: Walk): string {
  const name = textOf(node.function_name).toLowerCase();
  const own = node.schema === "" || node.schema === "main";
  const listed = SCALARS.has(name) || AGGREGATES.has(name) || walk.allow.has(name);
  if (own && listed && !isNeverAllowed(name)) return name;
  throw refusal(walk, node, `${wordOf(name)} is not accepted`, insteadOf(name, walk.known));
}

function moneyDiv(children: readonly unknown[], node: Tree, walk: Walk): void {
  if (children.length !== 3 || !isMoneyScale(children[2]))
    throw refusal(
      walk,
      node,
      "money_div takes two values and a scale",
      `write money_div(a, b, 2); the scale is a number from 0 to ${MONEY_SCALES}`,
    );
  if (JSON.stringify(children).includes('"function_name":"money_div"'))
    // it would be written out ten times
    throw refusal(
      walk,
      node,
      "money_div inside money_div is not accepted",
      "compute the inner one in a CTE",
    );
}

function isMoneyScale(x: unknown): boolean {
  const value = isTree(x) ? x.value : null;
  const scale = isTree(value) ? value.value : null;
  return (
    typeof scale === "number" && Number.isInteger(scale) && 0 <= scale && scale <= MONEY_SCALES
  );
}

/**
 * INTERVAL n DAYS is parsed as to_days(CAST(trunc(CAST(n AS DOUBLE)) AS INTEGER)), which is exact
 * for a whole n: this gives n, or null for another shape. The same for a parse tree and a bound
 * plan, which name functions by different keys.
 */
export function wholeNumber(call: Tree): unknown {
  const [outer] = treesOf(call.children);
  const trunc = outer?.child;
  if (!isTree(trunc) || (trunc.function_name ?? trunc.name) !== "trunc") return null;
  const [inner] = treesOf(trunc.children);
  return inner?.child ?? null;
}

/** A function over a window. */
export function windowed(node: Tree, walk: Walk, into: Into): void {
  onlyKeys(
    walk,
    node,
    `function_name schema children partitions orders start end start_expr end_expr offset_expr
    default_expr ignore_nulls filter_expr exclude_clause distinct arg_orders`,
    "catalog",
  );
  const name = textOf(node.function_name).toLowerCase();
  const aggregate = node.type === "WINDOW_AGGREGATE";
  if (aggregate ? !AGGREGATES.has(name) : !WINDOWS.has(textOf(node.type)))
    throw refusal(
      walk,
      node,
      `${wordOf(name)} is not accepted over a window`,
      insteadOfWindow(name),
    );
  const byRows = /ROWS|GROUPS/.test(`${textOf(node.start)} ${textOf(node.end)}`);
  const needsOrder = !aggregate || byRows || ORDERED_AGGREGATES.has(name);
  if (needsOrder && listOf(node.orders).length === 0)
    throw refusal(
      walk,
      node,
      `${name} over rows without an order differs from run to run`,
      `write ${name}(…) OVER (PARTITION BY … ORDER BY …)`,
    );
  into.expressions([...listOf(node.children), ...listOf(node.partitions)]);
  into.orders(node.orders);
  into.orders(node.arg_orders);
  into.expressions([node.start_expr, node.end_expr, node.offset_expr]);
  into.expressions([node.default_expr, node.filter_expr]);
}
