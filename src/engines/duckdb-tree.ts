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
  /** All functions that the engine has: only refusals ask. */
  readonly known: ReadonlySet<string>;
  /** Filled as relations are met. */
  readonly reads: Set<string>;
  /** Throws when the tree is too large. */
  readonly count: () => void;
}

/** Where a node's children are walked, in the scope that the node stands in. */
export interface Into {
  readonly query: (node: Tree) => void;
  readonly expressions: (list: readonly unknown[]) => void;
  /** The items of an ORDER BY. */
  readonly orders: (items: unknown) => void;
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

const EVERYWHERE = new Set(["class", "type", "alias", "query_location"]);

/**
 * Refuses a node that has a key not named here, so that a newer DuckDB's clause cannot pass unseen.
 * Keys are given in one text; those in `idle` must hold nothing: null, false, "" or [].
 */
export function onlyKeys(walk: Walk, node: Tree, known: string, idle = ""): void {
  const [may, mayIdle] = [known.split(/\s+/), idle.split(/\s+/)];
  for (const [key, value] of Object.entries(node)) {
    if (EVERYWHERE.has(key) || may.includes(key)) continue;
    if (mayIdle.includes(key) && isIdle(value)) continue;
    const cause = `${key.replaceAll("_", " ")} is not accepted here`;
    throw refusal(walk, node, cause, "write the SELECT without it");
  }
}

/** A word of the SQL as a message may carry it. */
export function wordOf(x: unknown): string {
  return String(x).toLowerCase().replaceAll("_", " ").slice(0, 60);
}

function isIdle(x: unknown): boolean {
  return x === null || x === false || x === "" || (Array.isArray(x) && x.length === 0);
}
