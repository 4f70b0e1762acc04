import type { Engine } from "../engines/engine.js";
import type { Path } from "../model/ids.js";
import type { Relation } from "../model/relation.js";

export interface WriteRequest {
  /** The kept Parquet twin: its order is the file's order. */
  readonly twin: Relation;
  /** The artefact's title, for a sheet's name. */
  readonly title: string;
  readonly to: Path;
}

/**
 * Ordered typed rows → a file that people open, and the proof that every cell of it is the
 * twin's.
 */
export interface Writer {
  /**
   * The same twin gives the same bytes (I010). Rows past the format's limit are left out and
   * counted in `overflow`.
   */
  readonly write: (
    request: WriteRequest,
    engine: Engine,
  ) => Promise<{ readonly rows: number; readonly overflow: number }>;
  /**
   * Reads the file back and compares it cell by cell. @throws COUNT_MISMATCH with the first cell
   * that differs
   */
  readonly prove: (request: WriteRequest, engine: Engine) => Promise<void>;
}
