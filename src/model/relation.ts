import type { Column } from "./columns.js";
import type { Path, RelationRef } from "./ids.js";

/**
 * A file of a relation as the engine opens it. `canonical` CSV and `parquet` were written by us;
 * `text` is seen as (line, text).
 */
export interface RelationFile {
  readonly path: Path;
  readonly format: "csv" | "parquet" | "text";
  /**
   * Set on files of an input: the source's own name, and the line of its first record (see `line`).
   */
  readonly source?: string;
  /**
   * Line of the file's first record in its source, from 1, when each record is one line and none
   * was left out: a record's line is then this number + its position. Null: the file has a column
   * `_line`.
   */
  readonly first_line?: number | null;
}

/**
 * A named table of a run. `columns` are the declared ones, in order; an input also has `_file` and
 * `_line` at its end. No file at all is a relation without rows (a first run's `previous.x`).
 */
export interface Relation {
  readonly name: RelationRef;
  readonly columns: readonly Column[];
  readonly files: readonly RelationFile[];
  /** Recorded when it was sealed or read, never estimated. */
  readonly rows: number;
}

/**
 * One item of a declared order; nulls are last in both directions, text is compared by UTF-8 bytes.
 */
export interface Order {
  readonly column: string;
  readonly abs: boolean;
  readonly down: boolean;
}

/** A table small enough to be in memory; every value is canonical text, null is null. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | null)[])[];
}
