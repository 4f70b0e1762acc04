import type { Engine } from "../engines/engine.js";
import type { Path, RelationName } from "../model/ids.js";
import type { InputSpec } from "../model/job.js";
import type { Relation, RelationFile } from "../model/relation.js";

/** One pinned source file of an input. */
export interface PinnedFile {
  readonly path: Path;
  /** The source's own name: what `_file` and messages say. */
  readonly source: string;
}

export interface ReadRequest {
  readonly input: RelationName;
  readonly spec: InputSpec;
  readonly files: readonly PinnedFile[];
  /** Where the typed form of the n-th file goes, and the rejects of all. Absent before. */
  readonly typed: (n: number) => Path;
  readonly rejects: Path;
}

/**
 * One record that is not a row, as `records/rejects/<input>.csv` lists it: file, line, column,
 * code, reason, raw.
 */
export interface Reject {
  readonly file: string;
  readonly line: number;
  readonly column: string;
  readonly code: string;
  readonly reason: string;
}

/** A source made typed. records = rows + rejected + skipped, by two independent counts (I007). */
export interface Reading {
  readonly relation: Relation;
  readonly rows: number;
  readonly rejected: number;
  /**
   * Records that the job declared to be no rows (preamble, footer, totals). The header is not a
   * record.
   */
  readonly skipped: number;
  /** Counted by a pass that shares no code with the engine. */
  readonly records: number;
  /** Null when there are none; else the rejects as a relation, `<input>_rejects`. */
  readonly rejects: { readonly file: RelationFile; readonly first: readonly Reject[] } | null;
}

/** A messy source file → a typed relation, rejects and counts. */
export interface Reader {
  /**
   * @throws INPUT_INVALID (header, encoding, dialect) with file, line, column; INPUT_COUNT when the
   * counts differ
   */
  readonly read: (request: ReadRequest, engine: Engine) => Promise<Reading>;
}
