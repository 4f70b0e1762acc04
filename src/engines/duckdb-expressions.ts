import { WIDEST_DECIMAL } from "../model/columns.js";
import { call, windowed } from "./duckdb-calls.js";
import { CLOCK_WORDS, insteadOf } from "./duckdb-functions.js";
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

type Visit = (node: Tree, walk: Walk, into: Into) => void;

const TYPES = new Set([
  ..."NULL BOOLEAN VARCHAR DATE TIMESTAMP INTERVAL DECIMAL".split(" "),
  ..."TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT".split(" "),
  ..."INTEGER_LITERAL STRING_LITERAL".split(" "),
  "TIMESTAMP WITH TIME ZONE",
]);
const OPERATORS = new Set([
  ..."COMPARE_IN COMPARE_NOT_IN OPERATOR_NOT OPERATOR_IS_NULL OPERATOR_IS_NOT_NULL".split(" "),
  ..."OPERATOR_COALESCE OPERATOR_NULLIF GROUPING_FUNCTION".split(" "),
]);
const VISITS: Readonly<Record<string, Visit>> = {
  COLUMN_REF: columnRef,
  CONSTANT: constant,
  CAST: cast,
  FUNCTION: call,
  WINDOW: windowed,
  SUBQUERY: subquery,
  STAR: star,
  CASE: caseOf,
  OPERATOR: operator,
  COMPARISON: (node, walk, into) => {
    onlyKeys(walk, node, "left right");
    into.expressions([node.left, node.right]);
  },
  BETWEEN: (node, walk, into) => {
    onlyKeys(walk, node, "input lower upper");
    into.expressions([node.input, node.lower, node.upper]);
  },
  CONJUNCTION: (node, walk, into) => {
    onlyKeys(walk, node, "children");
    into.expressions(listOf(node.children));
  },
};

/** How expressions of foreign SQL are walked, given how a query is that one of them holds. */
export function intoExpressions(walk: Walk, query: Into["query"]): Into {
  const into: Into = {
    query,
    expressions: (list) => {
      for (const x of list) expression(x, walk, into);
    },
    orders: (items) => {
      for (const item of treesOf(items)) {
        onlyKeys(walk, item, "null_order expression");
        expression(item.expression, walk, into);
      }
    },
  };
  return into;
}

/** Null stands for a clause that is absent. */
function expression(x: unknown, walk: Walk, into: Into): void {
  if (x === null || x === undefined) return;
  const node = treeOf(x);
  walk.count();
  const visit = VISITS[textOf(node.class)];
  if (visit === undefined)
    throw refusal(
      walk,
      node,
      `${wordOf(node.class)} is not accepted`,
      "write it with plain operators and functions",
    );
  visit(node, walk, into);
}

function columnRef(node: Tree, walk: Walk): void {
  onlyKeys(walk, node, "column_names");
  const names = listOf(node.column_names).map(textOf);
  const [only] = names;
  if (names.length === 1 && only !== undefined && CLOCK_WORDS.has(only.toLowerCase()))
    throw refusal(walk, node, `${only} differs from run to run`, insteadOf("now", walk.known));
}

function constant(node: Tree, walk: Walk): void {
  onlyKeys(walk, node, "value");
  typed(treeOf(treeOf(node.value).type), node, walk);
}

function cast(node: Tree, walk: Walk, into: Into): void {
  onlyKeys(walk, node, "child cast_type try_cast");
  typed(treeOf(node.cast_type), node, walk);
  into.expressions([node.child]);
}

function typed(type: Tree, node: Tree, walk: Walk): void {
  const name = textOf(type.id);
  const refused = (cause: string, remedy: string) => refusal(walk, node, cause, remedy);
  if (name === "DOUBLE" || name === "FLOAT")
    throw refused("floats are not accepted: they round", "use DECIMAL(p,s): 1.5, not 1.5e0");
  const info = isTree(type.type_info) ? type.type_info : {};
  if (!TYPES.has(name))
    throw refused(
      `type ${wordOf(info.name ?? name)} is not accepted`,
      "use VARCHAR, BIGINT, DECIMAL(p,s), DATE, TIMESTAMP or BOOLEAN",
    );
  const wide = typeof info.width === "number" && info.width > WIDEST_DECIMAL;
  if (wide && node.class === "CAST")
    throw refused(
      `a DECIMAL of more than ${WIDEST_DECIMAL} digits can overflow when summed`,
      `cast to DECIMAL(${WIDEST_DECIMAL},s) at most`,
    );
}

function operator(node: Tree, walk: Walk, into: Into): void {
  onlyKeys(walk, node, "children");
  if (!OPERATORS.has(textOf(node.type)))
    throw refusal(
      walk,
      node,
      "lists, structs and subscripts are not accepted",
      "use plain columns and values",
    );
  into.expressions(listOf(node.children));
}

function subquery(node: Tree, walk: Walk, into: Into): void {
  onlyKeys(walk, node, "subquery_type subquery child comparison_type");
  into.expressions([node.child]);
  into.query(treeOf(treeOf(node.subquery).node));
}

function star(node: Tree, walk: Walk, into: Into): void {
  onlyKeys(
    walk,
    node,
    "relation_name exclude_list qualified_exclude_list replace_list rename_list",
    "columns expr",
  );
  into.expressions(treesOf(node.replace_list).map((entry) => entry.value));
}

function caseOf(node: Tree, walk: Walk, into: Into): void {
  onlyKeys(walk, node, "case_checks else_expr");
  for (const check of treesOf(node.case_checks)) {
    onlyKeys(walk, check, "when_expr then_expr");
    into.expressions([check.when_expr, check.then_expr]);
  }
  into.expressions([node.else_expr]);
}
