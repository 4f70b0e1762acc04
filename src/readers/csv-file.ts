import { rmSync } from "node:fs";
import type { Engine } from "../engines/engine.js";
import { isTieout, TieoutError } from "../model/errors.js";
import type { Path } from "../model/ids.js";
import type { RelationFile } from "../model/relation.js";
import { positionsOf } from "./csv-columns.js";
import { formOf } from "./csv-form.js";
import { openingOf } from "./csv-opening.js";
import type { CsvSource, TypedSelect } from "./csv-select.js";
import { onDisk } from "./disk.js";
import type { PinnedFile, ReadRequest } from "./reader.js";
import type { Counted } from "./record-count.js";
import { countBeside } from "./record-thread.js";
import { countRejects } from "./rejects.js";
import { spareOf, type TypedFile } from "./typed-file.js";

/** The n-th file of a request, typed. @throws INPUT_INVALID, INPUT_COUNT, DISK, DISK_FULL */
export async function typeFile(
  request: ReadRequest,
  n: number,
  select: TypedSelect,
  engine: Engine,
): Promise<TypedFile> {
  const pinned = request.files[n];
  if (pinned === undefined) throw new Error(`${request.input} has no file ${n}`);
  const preamble = request.spec.skip?.first ?? 0;
  const copy = spareOf(request, n);
  try {
    const { counted, source } = await onDisk(pinned.source, () => look(request, pinned, copy));
    const expected = counted.records - counted.skipped;
    if (expected === 0 && request.spec.allow_empty !== true) throw noRows(pinned);
    const to = request.typed(n);
    const typed = await render(engine, select.of(source), source.path, to, pinned);
    if (typed !== expected) throw countsDiffer(pinned, typed, expected);
    const file: RelationFile = {
      ...{ path: to, format: "parquet", source: pinned.source },
      first_line: counted.first_line,
    };
    return {
      ...{ file, typed },
      rejected: await countRejects(request.input, file, typed, engine),
      skipped: counted.skipped + preamble,
      records: counted.records + preamble,
    };
  } finally {
    rmSync(copy, { force: true });
  }
}

/** Header and records by our own scan; what the engine is to read. */
async function look(
  request: ReadRequest,
  pinned: PinnedFile,
  copy: Path,
): Promise<{ readonly counted: Counted; readonly source: CsvSource }> {
  const { input, spec } = request;
  const form = formOf(input, spec);
  const opening = openingOf(pinned, form, spec.skip?.first ?? 0);
  const positions = positionsOf(pinned, opening, spec);
  const most = spec.extra_columns === "ignore" ? opening.fields : 0;
  const fields = opening.names === null ? Math.max(positions.length, most) : opening.fields;
  const { from, ended, plain } = opening;
  const counted = await countBeside({
    ...{ file: pinned.path, from, ended, plain, fields, copy },
    marks: { delimiter: form.delimiter, quote: form.quote },
    skip: { last: spec.skip?.last ?? 0, starting_with: spec.skip?.starting_with ?? [] },
  });
  const numbered = counted.first_line === null;
  const path = numbered ? copy : pinned.path;
  return { counted, source: { path, form, positions, fields, numbered, broken: counted.broken } };
}

async function render(
  engine: Engine,
  sql: string,
  source: Path,
  to: Path,
  pinned: PinnedFile,
): Promise<number> {
  try {
    const question = { sql, params: [], relations: [], sources: [source] };
    return (await engine.render({ ...question, to, format: "parquet" })).rows;
  } catch (e) {
    if (!isTieout(e, "SQL")) throw e;
    throw new TieoutError("INPUT_INVALID", {
      subject: pinned.source,
      cause: "the engine cannot read this file as its job declares it",
      remedy: "compare the file's delimiter, quote and header with csv: in job.yaml",
      because: e,
    });
  }
}

function noRows(pinned: PinnedFile): TieoutError {
  return new TieoutError("INPUT_INVALID", {
    subject: pinned.source,
    cause: "the file has no rows",
    remedy: "export it again, or declare allow_empty: true for this input",
  });
}

function countsDiffer(pinned: PinnedFile, engine: number, scan: number): TieoutError {
  return new TieoutError("INPUT_COUNT", {
    subject: pinned.source,
    cause: `the engine read ${engine} records, and an independent count found ${scan}`,
    remedy: "report this file's shape as a bug; until then export it with every field quoted",
    at: { engine, count: scan },
  });
}
