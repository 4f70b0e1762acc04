import { AGGREGATES, ORDERED_AGGREGATES } from "./duckdb-functions.js";
import { isTree, listOf, refusal, type Tree, textOf, treeOf, treesOf } from "./duckdb-tree.js";

/** What the orders of a SELECT are made total in. */
export interface Orders {
  readonly sql: string;
  /** Names of columns of the relations, in lower case: a table's name that is one means that. */
  readonly columns: ReadonlySet<string>;
}

/**
 * The parse tree with every order that decides what comes out made total, so that ties pick the
 * same rows whatever the order of the sources and the number of threads (I010):
 *
 * - ORDER BY … LIMIT: all columns of the result follow;
 * - a window that counts rows (row_number, lag, a frame of ROWS, …): the whole row follows, or of
 *   a grouped SELECT its groups;
 * - string_agg(x ORDER BY …): x follows.
 *
 * Rows that are still tied are equal in all that the SELECT could show; `_file` and `_line`, the
 * last columns of an input, come last in a row too.
 * @throws REFUSED where SQL cannot say what a row is
 */
export function totalOrders(tree: unknown, orders: Orders): unknown {
  return madeTotal(tree, () => [], { ...orders, columns: withAliases(tree, orders.columns) });
}

type Breakers = (at: Tree) => readonly unknown[];

function madeTotal(x: unknown, breakers: Breakers, orders: Orders): unknown {
  if (Array.isArray(x)) return x.map((item) => madeTotal(item, breakers, orders));
  if (!isTree(x)) return x;
  const own = x.type === "SELECT_NODE" ? breakersOf(x, orders) : breakers;
  const node: Tree = Object.fromEntries(
    Object.entries(x).map(([key, value]) => [key, madeTotal(value, own, orders)]),
  );
  if (x.type === "SELECT_NODE" || x.type === "SET_OPERATION_NODE") return limited(node, orders);
  if (x.class === "WINDOW" && countsRows(x)) return ordered(node, "orders", own(x));
  if (x.class === "FUNCTION" && ORDERED_AGGREGATES.has(textOf(x.function_name).toLowerCase()))
    return withOrders(node, listOf(node.children).slice(0, 1));
  return node;
}

const PEERS = new Set(["WINDOW_RANK", "WINDOW_RANK_DENSE"]);

/** Whether a window tells rows apart that its order does not. */
function countsRows(node: Tree): boolean {
  if (node.type !== "WINDOW_AGGREGATE") return !PEERS.has(textOf(node.type));
  const byRows = /ROWS/.test(`${textOf(node.start)} ${textOf(node.end)}`);
  return byRows || ORDERED_AGGREGATES.has(textOf(node.function_name).toLowerCase());
}

/** What tells the rows apart that a SELECT's windows see. */
function breakersOf(select: Tree, orders: Orders): Breakers {
  const groups = listOf(select.group_expressions);
  const refused = (at: Tree) =>
    refusal(
      orders,
      at,
      "this order can have ties among groups that have no name here",
      "compute the groups in a CTE, and rank them in the SELECT that reads it",
    );
  return (at) => {
    if (select.aggregate_handling === "FORCE_AGGREGATES") throw refused(at);
    if (listOf(select.group_sets).length > 1) throw refused(at);
    if (groups.length > 0) return groups.map((g) => groupOf(g, select));
    if (listOf(select.select_list).some(isAggregate)) return [];
    return rowsOf(treeOf(select.from_table), at, orders);
  };
}

/** GROUP BY 1 means the first column of the SELECT; in a window it would mean the number. */
function groupOf(group: unknown, select: Tree): unknown {
  const value = isTree(group) && isTree(group.value) ? group.value.value : null;
  if (typeof value !== "number") return group;
  const column = treeOf(listOf(select.select_list)[value - 1]);
  return { ...column, alias: "" };
}

/** An aggregate of the SELECT itself, not one over a window or in a query of its own. */
function isAggregate(x: unknown): boolean {
  if (Array.isArray(x)) return x.some(isAggregate);
  if (!isTree(x) || x.class === "WINDOW" || x.class === "SUBQUERY") return false;
  if (x.class === "FUNCTION" && AGGREGATES.has(textOf(x.function_name).toLowerCase())) return true;
  return Object.values(x).some(isAggregate);
}

/** The whole row of each table of a FROM, by the table's name. */
function rowsOf(table: Tree, at: Tree, orders: Orders): unknown[] {
  if (table.type === "EMPTY") return [];
  if (table.type === "JOIN") {
    const one = /^(SEMI|ANTI)$/.test(textOf(table.join_type)); // the right side is not seen
    const right = one ? [] : rowsOf(treeOf(table.right), at, orders);
    return [...rowsOf(treeOf(table.left), at, orders), ...right];
  }
  const name =
    textOf(table.alias) || (typeof table.table_name === "string" ? table.table_name : "");
  const cause =
    name === ""
      ? "this order can have ties, and a table of the FROM has no name"
      : `this order can have ties, and ${name} is a table and a column here`;
  if (name === "" || orders.columns.has(name.toLowerCase()))
    throw refusal(orders, at, cause, "give each table of the FROM a name of its own: … AS t");
  return [{ ...COLUMN, column_names: [name] }];
}

/** A query with LIMIT or OFFSET; the gate has seen that it has an ORDER BY. */
function limited(node: Tree, orders: Orders): Tree {
  const modifiers = treesOf(node.modifiers);
  if (!modifiers.some((m) => m.type === "LIMIT_MODIFIER")) return node;
  const distinct = modifiers.some((m) => m.type === "DISTINCT_MODIFIER");
  return {
    ...node,
    modifiers: modifiers.map((m) =>
      m.type === "ORDER_MODIFIER" && !isOrderByAll(m)
        ? { ...m, orders: [...listOf(m.orders), ...resultOf(node, distinct, orders).map(item)] }
        : m,
    ),
  };
}

/** All columns of a result: by position, or `*` where the SELECT says so. */
function resultOf(node: Tree, distinct: boolean, orders: Orders): unknown[] {
  if (node.type === "SET_OPERATION_NODE") return resultOf(treeOf(node.left), distinct, orders);
  const list = treesOf(node.select_list);
  const stars = list.filter((x) => x.class === "STAR");
  if (stars.length === 0) return list.map((_, i) => ({ ...NUMBER, value: integer(i + 1) }));
  const [star] = stars;
  if (star !== undefined && distinct && !isPlain(star))
    throw refusal(
      orders,
      star,
      "this LIMIT can have ties, and the columns of the result have no names here",
      "name the columns of the SELECT",
    );
  return [{ ...STAR }];
}

function isOrderByAll(modifier: Tree): boolean {
  return treesOf(modifier.orders).some((o) => treeOf(o.expression).class === "STAR");
}

function isPlain(star: Tree): boolean {
  const lists = ["exclude_list", "replace_list", "rename_list", "qualified_exclude_list"];
  return star.relation_name === "" && lists.every((l) => listOf(star[l] ?? []).length === 0);
}

function withOrders(node: Tree, more: readonly unknown[]): Tree {
  const by = treeOf(node.order_bys);
  return { ...node, order_bys: ordered(by, "orders", more) };
}

/** A literal orders nothing, and DuckDB refuses one. */
function ordered(node: Tree, key: string, more: readonly unknown[]): Tree {
  const telling = more.filter((x) => !(isTree(x) && x.class === "CONSTANT"));
  return { ...node, [key]: [...listOf(node[key]), ...telling.map(item)] };
}

function item(expression: unknown): Tree {
  return { type: "ORDER_DEFAULT", null_order: "ORDER_DEFAULT", expression };
}

/** The names that expressions and tables' columns are given anywhere in the SQL, and `columns`. */
function withAliases(tree: unknown, columns: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set(columns);
  const visit = (x: unknown): void => {
    if (Array.isArray(x)) x.forEach(visit);
    if (!isTree(x)) return;
    if (typeof x.class === "string" && typeof x.alias === "string")
      names.add(x.alias.toLowerCase());
    for (const key of ["column_name_alias", "aliases"])
      for (const name of Array.isArray(x[key]) ? x[key] : []) names.add(String(name).toLowerCase());
    Object.values(x).forEach(visit);
  };
  visit(tree);
  return names;
}

const MADE = { alias: "", query_location: 0 } as const;
const COLUMN = { class: "COLUMN_REF", type: "COLUMN_REF", ...MADE } as const;
const NUMBER = { class: "CONSTANT", type: "VALUE_CONSTANT", ...MADE } as const;
const integer = (value: number) => ({
  type: { id: "INTEGER", type_info: null },
  is_null: false,
  value,
});
const STAR = {
  ...{ class: "STAR", type: "STAR", ...MADE, relation_name: "", exclude_list: [] },
  ...{ replace_list: [], columns: true, expr: null, qualified_exclude_list: [], rename_list: [] },
} as const;
