import type { Engine } from "../engines/engine.js";
import { RelationRef } from "../model/ids.js";
import type { RelationFile } from "../model/relation.js";
import { typeFile } from "./csv-file.js";
import { typedSelect } from "./csv-select.js";
import type { Reader, Reading, ReadRequest } from "./reader.js";
import { keepRows, writeRejects } from "./rejects.js";
import type { TypedFile } from "./typed-file.js";

/**
 * CSV as it is exported every day: any ASCII delimiter and quote, a header or none, LF, CRLF or CR,
 * UTF-8 with or without a byte order mark. Each file is read once by the engine, as text, and typed
 * exactly in the same pass; a second pass follows only where records were rejected. A file that is
 * not plain (records of wrong shape or of several lines, skips, blank lines) is first copied with
 * its line numbers to a spare name among the typed files; the copy is gone when this returns or
 * throws.
 *
 * A record is rejected once, for its shape or for the first column that does not fit. The lines of
 * `skip.first` count as records that are skipped, and so do lines after the header that hold
 * nothing where a file has more than one column. `key` and `rejects.max` are the caller's to check.
 */
export function csvReader(): Reader {
  return { read };
}

async function read(request: ReadRequest, engine: Engine): Promise<Reading> {
  const { input, spec } = request;
  const select = typedSelect(input, spec, engine.dialect);
  const typed: TypedFile[] = [];
  for (const n of request.files.keys()) typed.push(await typeFile(request, n, select, engine));
  const count = (of: (f: TypedFile) => number): number => typed.reduce((n, f) => n + of(f), 0);
  const rejected = count((f) => f.rejected);
  const rejects = rejected > 0 ? await writeRejects(request, typed, select, engine) : null;
  const files: RelationFile[] = [];
  for (const [n, file] of typed.entries())
    files.push(file.rejected > 0 ? await keepRows(request, n, file, select, engine) : file.file);
  const rows = count((f) => f.typed) - rejected;
  return {
    relation: { name: RelationRef.parse(input), columns: select.columns, files, rows },
    ...{ rows, rejected, rejects },
    skipped: count((f) => f.skipped),
    records: count((f) => f.records),
  };
}
