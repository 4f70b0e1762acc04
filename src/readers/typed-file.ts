import type { Path } from "../model/ids.js";
import type { RelationFile } from "../model/relation.js";
import type { ReadRequest } from "./reader.js";

/** One source file after its only pass: every record, typed or with its reason in `_reject`. */
export interface TypedFile {
  readonly file: RelationFile;
  /** Records in it, rejects among them. */
  readonly typed: number;
  readonly rejected: number;
  readonly skipped: number;
  /** By the independent count, with the skipped ones. */
  readonly records: number;
}

/** A name for what is gone again before the reader returns: a typed file's past the last one. */
export function spareOf(request: ReadRequest, n: number): Path {
  return request.typed(request.files.length + n);
}
