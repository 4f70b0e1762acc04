import type { Dialect } from "../dialects/dialect.js";
import type { Column } from "../model/columns.js";
import type { Path, RelationRef } from "../model/ids.js";
import type { Order, Relation, Table } from "../model/relation.js";

/** One SELECT that a job or an agent wrote, and the file it is to become. */
export interface Evaluation {
  /** As written; nothing in it is trusted. */
  readonly sql: string;
  /** All that it may read: the run's relations so far (I016). */
  readonly relations: readonly Relation[];
  /**
   * Declared columns: the result must have just these names, in any order; null takes what comes.
   */
  readonly columns: readonly Column[] | null;
  /** Made total by the remaining columns in order; empty orders by all columns. */
  readonly order_by: readonly Order[];
  /** A path that does not exist yet, in a folder that does. */
  readonly to: Path;
  readonly format: "csv" | "parquet";
  /** Functions that the job allows beside the engine's own list. */
  readonly allow: readonly string[];
  /**
   * SELECTs of one author that follow each other under one name may share a process, each with a
   * database of its own; without it an evaluation has a fresh process.
   */
  readonly batch?: string;
}

export interface Evaluated {
  /** Rows that the writer reported; the caller compares them with `count` of the file. */
  readonly rows: number;
  readonly columns: readonly Column[];
  readonly reads: readonly RelationRef[];
}

/** What the gate found in a SELECT without running it. */
export interface Vetted {
  readonly reads: readonly RelationRef[];
  /** The SQL regenerated from the vetted parse tree; this is what would run. */
  readonly sql: string;
}

/** A question of ours: the SQL comes from a dialect, never from a job or an agent. */
export interface Question {
  readonly sql: string;
  /** Bound as text, `$1` first. */
  readonly params: readonly string[];
  readonly relations: readonly Relation[];
}

/**
 * Evaluates SQL over files into typed files. Foreign SQL goes through a parse-tree gate and, in
 * `duckdb`, a fresh process that can be killed; our own questions are answered by one that lives as
 * long as the engine. No row passes through JavaScript on its way to a file.
 *
 * Every adapter answers the same: rows in a total order, canonical text for every value, and a file
 * under `to` only when the call returned (a file left by a failed call is a draft that nothing
 * lists).
 */
export interface Engine {
  readonly name: string;
  readonly version: string;
  readonly dialect: Dialect;
  /** @throws NOT_A_SELECT, NOT_ONE_STATEMENT, REFUSED, UNKNOWN_RELATION: the gate's answer */
  readonly vet: (
    sql: string,
    relations: readonly RelationRef[],
    allow?: readonly string[],
  ) => Promise<Vetted>;
  /** @throws what `vet` throws; SQL, COLUMN_MISMATCH, INEXACT, TIMEOUT, MEMORY, DISK_FULL */
  readonly evaluate: (e: Evaluation) => Promise<Evaluated>;
  /** At most `limit` rows. @throws TIMEOUT, MEMORY */
  readonly ask: (q: Question & { readonly limit: number }) => Promise<Table>;
  /** All rows, in batches of at most 2,048, in the question's own order. */
  readonly stream: (q: Question) => AsyncIterable<Table["rows"]>;
  /**
   * All rows of a question of ours into a file at `to`; `sources` are further files that the SQL
   * opens itself (a reader's). Order is the question's own. @throws SQL, DISK_FULL, MEMORY
   */
  readonly render: (
    q: Question & {
      readonly sources: readonly Path[];
      readonly to: Path;
      readonly format: "csv" | "parquet";
    },
  ) => Promise<{ readonly rows: number; readonly columns: readonly Column[] }>;
  /** Ends its processes; the engine is not used afterwards. Safe to call twice. */
  readonly close: () => Promise<void>;
}
