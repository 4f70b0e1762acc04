import { type Code, TieoutError } from "../model/errors.js";
import { subjectAt } from "./duckdb-errors.js";

/** A node of json_serialize_sql's answer; nothing about its shape is trusted. */
export type Tree = { readonly [key: string]: unknown };

/** The SQL's limits: both were reached by attacks that ran for 20 s and more. */
export const LIMITS = { sql_bytes: 20_000, nodes: 5_000 } as const;

/** What a walk over a parse tree knows besides the node. */
export interface Walk {
  readonly sql: string;
  readonly relations: ReadonlySet<string>;
  readonly allow: ReadonlySet<string>;
  /** Filled as relations are met. */
  readonly reads: Set<string>;
  /** Throws when the tree is too large. */
  readonly count: () => void;
}

export function isTree(x: unknown): x is Tree {
  return typeof x === "object" && x !== null && !Array.isArray(x);
}

/** A child that must be a node. @throws Error when DuckDB's tree has another shape than known */
export function treeOf(x: unknown): Tree {
  if (isTree(x)) return x;
  throw new Error("the parse tree has an unknown shape");
}
export function treesOf(x: unknown): readonly Tree[] {
  return listOf(x).map(treeOf);
}
export function listOf(x: unknown): readonly unknown[] {
  if (Array.isArray(x)) return x;
  throw new Error("the parse tree has an unknown shape");
}
export function textOf(x: unknown): string {
  if (typeof x === "string") return x;
  throw new Error("the parse tree has an unknown shape");
}

/** Byte offset of a node in the SQL; null where DuckDB made the node up. */
export function offsetOf(node: Tree): number | null {
  const at = node.query_location;
  return typeof at === "number" && Number.isSafeInteger(at) ? at : null;
}

export function refusal(
  walk: Pick<Walk, "sql">,
  node: Tree,
  cause: string,
  remedy: string,
  code: Code = "REFUSED",
): TieoutError {
  return new TieoutError(code, { ...subjectAt(walk.sql, offsetOf(node)), cause, remedy });
}

/**
 * Refuses a node that has a key not named here, so that a newer DuckDB's clause cannot pass unseen.
 * Keys in `idle` must hold nothing: null, false, "" or [].
 */
export function onlyKeys(
  walk: Walk,
  node: Tree,
  known: readonly string[],
  idle: readonly string[] = [],
): void {
  for (const key of Object.keys(node)) {
    if (known.includes(key)) continue;
    if (idle.includes(key) && isIdle(node[key])) continue;
    throw refusal(
      walk,
      node,
      `${key.replaceAll("_", " ")} is not accepted here`,
      "write the SELECT without it",
    );
  }
}

function isIdle(x: unknown): boolean {
  return x === null || x === false || x === "" || (Array.isArray(x) && x.length === 0);
}
