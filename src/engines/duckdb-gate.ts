import { TieoutError } from "../model/errors.js";
import type { RelationRef } from "../model/ids.js";
import { toldError } from "./duckdb-errors.js";
import { parseTree, printTree } from "./duckdb-json.js";
import { totalOrders } from "./duckdb-orders.js";
import { query } from "./duckdb-queries.js";
import {
  LIMITS,
  listOf,
  refusal,
  type Tree,
  textOf,
  treeOf,
  treesOf,
  type Walk,
} from "./duckdb-tree.js";

export interface GateOptions {
  readonly relations: readonly RelationRef[];
  readonly allow: ReadonlySet<string>;
  /** All functions that the engine has, for the words of a refusal. */
  readonly known: ReadonlySet<string>;
  /** Names of their columns, in lower case, as far as they are known. */
  readonly columns: ReadonlySet<string>;
}

/** What the gate lets through. */
export interface Passed {
  /** The relations that the SELECT reads. */
  readonly reads: RelationRef[];
  /** The parse tree of what is to run. */
  readonly tree: string;
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
 * gives the relations that it reads, and the tree with its orders made total (I010). An
 * allow-list: a node, key, table or function that is not named in these files is refused (I016).
 * @throws NOT_A_SELECT, NOT_ONE_STATEMENT, REFUSED, UNKNOWN_RELATION with `line` and `column` in
 * `at`
 */
export function vetTree(sql: string, serialised: string, options: GateOptions): Passed {
  if (serialised.includes("\\u0000"))
    throw refusal({ sql }, {}, "a NUL character is not accepted", "write the text without it");
  const answer = treeOf(parseTree(serialised));
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
    known: options.known,
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
  query(treeOf(statement.node), walk);
  const tree = printTree(totalOrders(answer, { sql, columns: options.columns }));
  return { reads: options.relations.filter((r) => reads.has(r)), tree };
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
