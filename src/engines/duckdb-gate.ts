import { nearest, TieoutError } from "../model/errors.js";
import type { RelationRef } from "../model/ids.js";
import { toldError } from "./duckdb-errors.js";
import { expression, expressions, orders } from "./duckdb-expressions.js";
import {
  isTree,
  LIMITS,
  listOf,
  onlyKeys,
  refusal,
  type Tree,
  textOf,
  treeOf,
  treesOf,
  type Walk,
} from "./duckdb-tree.js";

/** CTE names in scope; it only grows inwards, so it is copied, never changed. */
type Scope = ReadonlySet<string>;

const CTE_NAME = /^[a-z_][a-z0-9_]{0,62}$/;
const CATALOG = /^(?:duckdb_|pg_|pragma_|sqlite_|information_schema$)/;
const JOINS = new Set(["INNER", "LEFT", "RIGHT", "FULL", "OUTER", "SEMI", "ANTI"]);
const JOIN_KINDS = new Set(["REGULAR", "CROSS", "NATURAL", "DEPENDENT"]);
const TABLE = ["type", "alias", "query_location"];

export interface GateOptions {
  readonly relations: readonly RelationRef[];
  readonly allow: ReadonlySet<string>;
}

/** Refuses SQL that is too long to be parsed at all. */
export function vetLength(sql: string): void {
  if (Buffer.byteLength(sql, "utf8") <= LIMITS.sql_bytes) return;
  throw new TieoutError("REFUSED", {
    subject: "sql",
    cause: `the SQL has more than ${LIMITS.sql_bytes} bytes`,
    remedy: "split the step in two, or put long lists of values into an input",
  });
}

/**
 * The gate: walks what DuckDB's own parser made of the SQL (the answer of json_serialize_sql) and
 * gives the relations that it reads. An allow-list: a node, key, table or function that is not named
 * in these files is refused. I016.
 * @throws NOT_A_SELECT, NOT_ONE_STATEMENT, REFUSED, UNKNOWN_RELATION with `line` and `column` in `at`
 */
export function vetTree(sql: string, serialised: string, options: GateOptions): RelationRef[] {
  const answer = treeOf(JSON.parse(serialised));
  if (answer.error === true) throw notASelect(sql, answer);
  const statements = treesOf(answer.statements);
  const [statement] = statements;
  if (statement === undefined || statements.length > 1) throw notOne(statements.length);
  let nodes = 0;
  const reads = new Set<string>();
  const walk: Walk = {
    sql,
    relations: new Set(options.relations),
    allow: options.allow,
    reads,
    count: () => {
      if (++nodes > LIMITS.nodes)
        throw refusal(
          { sql },
          {},
          `the SQL has more than ${LIMITS.nodes} parts`,
          "split the step in two",
        );
    },
  };
  if (listOf(statement.named_param_map ?? []).length > 0)
    throw refusal(walk, {}, "parameters are not accepted", "write the value as a literal");
  query(treeOf(statement.node), walk, new Set());
  return options.relations.filter((r) => reads.has(r));
}

function notASelect(sql: string, answer: Tree): TieoutError {
  if (answer.error_type === "parser")
    return toldError(
      {
        error_type: "parser",
        error_message: textOf(answer.error_message),
        ...(typeof answer.position === "string" ? { position: answer.position } : {}),
      },
      sql,
    );
  return new TieoutError("NOT_A_SELECT", {
    subject: "sql:1:1",
    cause: "the SQL is not a SELECT",
    remedy: "write one SELECT (WITH … is fine); the runner writes the file itself",
    at: { line: 1, column: 1 },
  });
}

function notOne(count: number): TieoutError {
  return new TieoutError("NOT_ONE_STATEMENT", {
    subject: "sql",
    cause: `the SQL has ${count} statements`,
    remedy: "write exactly one SELECT; use CTEs (WITH a AS (…), b AS (…)) for steps before it",
    at: { statements: count },
  });
}

function query(node: Tree, walk: Walk, outer: Scope): void {
  walk.count();
  const scope = ctes(treeOf(node.cte_map), walk, outer);
  const into = (sub: Tree) => query(sub, walk, scope);
  modifiers(node, walk, into);
  switch (node.type) {
    case "SELECT_NODE":
      select(node, walk, scope);
      break;
    case "SET_OPERATION_NODE":
      onlyKeys(walk, node, [
        "type",
        "modifiers",
        "cte_map",
        "setop_type",
        "setop_all",
        "left",
        "right",
      ]);
      into(treeOf(node.left));
      into(treeOf(node.right));
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

function select(node: Tree, walk: Walk, scope: Scope): void {
  onlyKeys(
    walk,
    node,
    [
      "type",
      "modifiers",
      "cte_map",
      "select_list",
      "from_table",
      "where_clause",
      "group_expressions",
      "group_sets",
      "aggregate_handling",
      "having",
      "qualify",
    ],
    ["sample"],
  );
  const into = (sub: Tree) => query(sub, walk, scope);
  table(treeOf(node.from_table), walk, scope);
  expressions([...listOf(node.select_list), node.where_clause], walk, into);
  expressions([...listOf(node.group_expressions), node.having, node.qualify], walk, into);
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
    onlyKeys(walk, value, ["aliases", "query", "materialized"], ["key_targets"]);
    const inner = treeOf(treeOf(value.query).node);
    if (!CTE_NAME.test(name) || CATALOG.test(name))
      throw refusal(walk, inner, "a CTE is named with a-z, 0-9 and _", "give the CTE another name");
    if (scope.has(name) || isRelation(name, walk))
      throw refusal(
        walk,
        inner,
        `the name of CTE ${name} is taken`,
        "give the CTE a name of its own",
      );
    query(inner, walk, new Set(scope));
    scope.add(name);
  }
  return scope;
}

function isRelation(name: string, walk: Walk): boolean {
  return [...walk.relations].some((r) => r === name || r.endsWith(`.${name}`));
}

function modifiers(node: Tree, walk: Walk, into: (sub: Tree) => void): void {
  const list = treesOf(node.modifiers);
  for (const m of list) {
    if (m.type === "ORDER_MODIFIER") orders(m.orders, walk, into);
    else if (m.type === "DISTINCT_MODIFIER") {
      if (listOf(m.distinct_on_targets).length > 0)
        throw refusal(
          walk,
          node,
          "DISTINCT ON picks rows by chance",
          "use row_number() OVER (PARTITION BY … ORDER BY …) with QUALIFY",
        );
    } else if (m.type === "LIMIT_MODIFIER") {
      if (!list.some((o) => o.type === "ORDER_MODIFIER"))
        throw refusal(
          walk,
          isTree(m.limit) ? m.limit : node,
          "LIMIT without ORDER BY picks rows by chance",
          "add an ORDER BY that has no ties",
        );
      expression(m.limit, walk, into);
      expression(m.offset, walk, into);
    } else
      throw refusal(
        walk,
        node,
        "this clause after the SELECT is not accepted",
        "use ORDER BY and LIMIT n",
      );
  }
}

function table(node: Tree, walk: Walk, scope: Scope): void {
  walk.count();
  const into = (sub: Tree) => query(sub, walk, scope);
  switch (node.type) {
    case "EMPTY":
      onlyKeys(walk, node, TABLE, ["sample"]);
      break;
    case "BASE_TABLE":
      baseTable(node, walk, scope);
      break;
    case "JOIN":
      join(node, walk, scope);
      break;
    case "SUBQUERY":
      onlyKeys(walk, node, [...TABLE, "subquery", "column_name_alias"], ["sample"]);
      into(treeOf(treeOf(node.subquery).node));
      break;
    case "EXPRESSION_LIST":
      onlyKeys(
        walk,
        node,
        [...TABLE, "values", "expected_names", "column_name_alias"],
        ["sample", "expected_types"],
      );
      for (const row of listOf(node.values)) expressions(listOf(row), walk, into);
      break;
    default:
      throw refusal(
        walk,
        node,
        `${tableWords(node)} is not accepted in FROM`,
        `read the run's relations: ${named(walk)}`,
      );
  }
}

function baseTable(node: Tree, walk: Walk, scope: Scope): void {
  onlyKeys(
    walk,
    node,
    [...TABLE, "schema_name", "table_name", "column_name_alias"],
    ["sample", "catalog_name", "at_clause"],
  );
  const schema = textOf(node.schema_name);
  const name = (schema === "" ? "" : `${schema}.`).concat(textOf(node.table_name)).toLowerCase();
  if (schema === "" && scope.has(name)) return;
  if (walk.relations.has(name)) {
    walk.reads.add(name);
    return;
  }
  const near = nearest(name, walk.relations);
  const shown = /^[a-z0-9_.]{1,130}$/.test(name) ? name : "of this name";
  throw refusal(
    walk,
    node,
    `there is no relation ${shown}`,
    near === null ? `read the run's relations: ${named(walk)}` : `perhaps you mean ${near}`,
    "UNKNOWN_RELATION",
  );
}

function join(node: Tree, walk: Walk, scope: Scope): void {
  onlyKeys(
    walk,
    node,
    [...TABLE, "left", "right", "condition", "join_type", "ref_type", "using_columns"],
    ["sample", "delim_flipped", "duplicate_eliminated_columns"],
  );
  if (!JOINS.has(textOf(node.join_type)) || !JOIN_KINDS.has(textOf(node.ref_type)))
    throw refusal(
      walk,
      node,
      `${textOf(node.ref_type)} joins are not accepted`,
      "join on keys, and rank rows with row_number() and QUALIFY",
    );
  table(treeOf(node.left), walk, scope);
  table(treeOf(node.right), walk, scope);
  expression(node.condition, walk, (sub) => query(sub, walk, scope));
}

function tableWords(node: Tree): string {
  return textOf(node.type).toLowerCase().replaceAll("_", " ");
}

/** The relations as a message lists them: at most 20, the rest counted. */
function named(walk: Walk): string {
  const all = [...walk.relations];
  const more = all.length > 20 ? ` and ${all.length - 20} more` : "";
  return `${all.slice(0, 20).join(", ")}${more}`;
}
