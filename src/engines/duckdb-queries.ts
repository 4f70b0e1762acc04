import { nearest } from "../model/errors.js";
import { intoExpressions } from "./duckdb-expressions.js";
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

/** CTE names in scope; it only grows inwards, so it is copied, never changed. */
type Scope = ReadonlySet<string>;

const CTE_NAME = /^[a-z_][a-z0-9_]{0,62}$/;
const CATALOG = /^(?:duckdb_|pg_|pragma_|sqlite_|information_schema$)/;
const JOINS = new Set(["INNER", "LEFT", "RIGHT", "FULL", "OUTER", "SEMI", "ANTI"]);
const JOIN_KINDS = new Set(["REGULAR", "CROSS", "NATURAL", "DEPENDENT"]);
const LISTED = 20;

/** Walks a query and all below it, and notes the relations that it reads. */
export function query(node: Tree, walk: Walk, outer: Scope = new Set()): void {
  walk.count();
  const scope = ctes(treeOf(node.cte_map), walk, outer);
  const into = intoExpressions(walk, (sub) => query(sub, walk, scope));
  for (const modifier of treesOf(node.modifiers)) modified(modifier, node, walk, into);
  switch (node.type) {
    case "SELECT_NODE":
      select(node, walk, scope, into);
      break;
    case "SET_OPERATION_NODE":
      onlyKeys(walk, node, "modifiers cte_map setop_type setop_all left right");
      into.query(treeOf(node.left));
      into.query(treeOf(node.right));
      break;
    default:
      throw refusal(
        walk,
        node,
        "recursive queries are not accepted",
        "join the relations, or compute the levels in steps",
      );
  }
}

function select(node: Tree, walk: Walk, scope: Scope, into: Into): void {
  onlyKeys(
    walk,
    node,
    `modifiers cte_map select_list from_table where_clause group_expressions group_sets
    aggregate_handling having qualify`,
    "sample",
  );
  table(treeOf(node.from_table), walk, scope, into);
  into.expressions([...listOf(node.select_list), node.where_clause]);
  into.expressions([...listOf(node.group_expressions), node.having, node.qualify]);
}

/**
 * CTE names are lexically scoped: a CTE sees those before it, its own body not itself. A name is
 * refused when it could also mean a relation, a catalog view or an outer CTE, so that no reading of
 * the scope rules but one is possible.
 */
function ctes(map: Tree, walk: Walk, outer: Scope): Scope {
  const scope = new Set(outer);
  for (const entry of treesOf(map.map)) {
    const name = textOf(entry.key);
    const value = treeOf(entry.value);
    onlyKeys(walk, value, "aliases query materialized", "key_targets");
    const inner = treeOf(treeOf(value.query).node);
    const refused = (cause: string) =>
      refusal(walk, inner, cause, "give the CTE a name of its own in a-z, 0-9 and _");
    if (!CTE_NAME.test(name) || CATALOG.test(name)) throw refused("a CTE cannot have this name");
    if (scope.has(name) || walk.relations.has(name))
      throw refused(`the name of CTE ${name} is taken`);
    query(inner, walk, scope);
    scope.add(name);
  }
  return scope;
}

function modified(modifier: Tree, node: Tree, walk: Walk, into: Into): void {
  const refused = (cause: string, remedy: string) =>
    refusal(walk, isTree(modifier.limit) ? modifier.limit : node, cause, remedy);
  switch (modifier.type) {
    case "ORDER_MODIFIER":
      into.orders(modifier.orders);
      break;
    case "DISTINCT_MODIFIER":
      if (listOf(modifier.distinct_on_targets).length === 0) break;
      throw refused(
        "DISTINCT ON picks rows by chance",
        "use row_number() OVER (PARTITION BY … ORDER BY …) with QUALIFY",
      );
    case "LIMIT_MODIFIER":
      if (!treesOf(node.modifiers).some((m) => m.type === "ORDER_MODIFIER"))
        throw refused(
          "LIMIT without ORDER BY picks rows by chance",
          "add an ORDER BY: the columns of the result follow it by themselves",
        );
      into.expressions([modifier.limit, modifier.offset]);
      break;
    default:
      throw refused("this clause after the SELECT is not accepted", "use ORDER BY and LIMIT n");
  }
}

function table(node: Tree, walk: Walk, scope: Scope, into: Into): void {
  walk.count();
  switch (node.type) {
    case "EMPTY":
      onlyKeys(walk, node, "", "sample");
      break;
    case "BASE_TABLE":
      baseTable(node, walk, scope);
      break;
    case "JOIN":
      join(node, walk, scope, into);
      break;
    case "SUBQUERY":
      onlyKeys(walk, node, "subquery column_name_alias", "sample");
      into.query(treeOf(treeOf(node.subquery).node));
      break;
    case "EXPRESSION_LIST":
      onlyKeys(walk, node, "values expected_names column_name_alias", "sample expected_types");
      for (const row of listOf(node.values)) into.expressions(listOf(row));
      break;
    default:
      throw refusal(
        walk,
        node,
        `${wordOf(node.type)} is not accepted in FROM`,
        `read the run's relations: ${listed(walk)}`,
      );
  }
}

function baseTable(node: Tree, walk: Walk, scope: Scope): void {
  onlyKeys(walk, node, "schema_name table_name column_name_alias", "sample catalog_name at_clause");
  const schema = textOf(node.schema_name).toLowerCase();
  const own = textOf(node.table_name).toLowerCase();
  const name = schema === "" ? own : `${schema}.${own}`;
  if (schema === "" && scope.has(own)) return;
  const dotted = own.includes("."); // "previous.x" in one pair of quotes is another table
  if (!dotted && walk.relations.has(name)) {
    walk.reads.add(name);
    return;
  }
  const near = nearest(name, walk.relations);
  const shown = /^[a-z0-9_.]{1,130}$/.test(name) ? name : "of this name";
  throw refusal(
    walk,
    node,
    `there is no relation ${shown}`,
    near === null ? `read the run's relations: ${listed(walk)}` : `perhaps you mean ${near}`,
    "UNKNOWN_RELATION",
  );
}

function join(node: Tree, walk: Walk, scope: Scope, into: Into): void {
  onlyKeys(
    walk,
    node,
    "left right condition join_type ref_type using_columns",
    "sample delim_flipped duplicate_eliminated_columns",
  );
  if (!JOINS.has(textOf(node.join_type)) || !JOIN_KINDS.has(textOf(node.ref_type)))
    throw refusal(
      walk,
      node,
      `${wordOf(node.ref_type)} joins are not accepted`,
      "join on keys, and rank rows with row_number() and QUALIFY",
    );
  table(treeOf(node.left), walk, scope, into);
  table(treeOf(node.right), walk, scope, into);
  into.expressions([node.condition]);
}

/** The relations as a message lists them; those not shown are counted. */
function listed(walk: Walk): string {
  const all = [...walk.relations];
  const more = all.length > LISTED ? ` and ${all.length - LISTED} more` : "";
  return `${all.slice(0, LISTED).join(", ")}${more}`;
}
