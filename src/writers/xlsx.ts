import type { Engine } from "../engines/engine.js";
import { SHEET_ROWS, xlsx } from "../formats/xlsx.js";
import { TieoutError } from "../model/errors.js";
import type { Table } from "../model/relation.js";
import { partText, zipParts } from "./unzip.js";
import type { WriteRequest, Writer } from "./writer.js";
import { type Book, bookOf } from "./xlsx-book.js";
import { CellTooLong, headerXml, ROW_END, rowDifference, rowXml } from "./xlsx-row.js";
import { writeZip } from "./zip.js";

/**
 * Writes workbooks of one sheet: a frozen, filtered header, real dates, and numbers as numbers
 * where a double holds every digit, else as text. No cell is a formula. Memory does not grow with
 * the rows.
 *
 * `rows` of `write` is the twin's full count, `overflow` how many of them the sheet has no room
 * for; a last sheet then says so. A failed call leaves no file.
 * @throws INEXACT for a text that no cell can hold, COUNT_MISMATCH, DISK_FULL, DISK
 */
export function xlsxWriter({ rows = SHEET_ROWS }: { readonly rows?: number } = {}): Writer {
  return {
    write: async (request, engine) => {
      const book = bookOf(request, rows);
      assertColumns(request);
      const sheet = { name: book.sheet.name, text: sheetText(book, request, engine) };
      await writeZip(request.to, nameOf(request), [...book.before, sheet, ...book.after]);
      return { rows: book.rows + book.overflow, overflow: book.overflow };
    },
    prove: async (request, engine) => {
      const book = bookOf(request, rows);
      const parts = await zipParts(request.to).catch((e: unknown) => {
        throw mismatch(request, "the workbook cannot be read back", undefined, e);
      });
      const expected = [...book.before, book.sheet, ...book.after];
      if (parts?.map((p) => p.name).join() !== expected.map((p) => p.name).join())
        throw mismatch(request, "the workbook is not whole");
      for (const [i, part] of (parts ?? []).entries()) {
        const text = readable(partText(request.to, part), request);
        const fixed = [...book.before, null, ...book.after][i];
        if (fixed) await proveText(text, fixed.text, part.name, request);
        else await proveSheet(text, book, request, engine);
      }
    },
  };
}

async function* sheetText(
  book: Book,
  request: WriteRequest,
  engine: Engine,
): AsyncIterable<string> {
  yield book.sheet.head + headerXml(book.columns);
  let done = 0;
  for await (const batch of rowsOf(request, engine)) {
    let xml = "";
    for (const values of batch) {
      if (++done <= book.rows) xml += row(book, values, done + 1, request);
    }
    yield xml;
  }
  if (done !== request.twin.rows) throw miscounted(request, done);
  yield book.sheet.tail;
}

/** The twin's rows in the order of its file. */
function rowsOf({ twin }: WriteRequest, engine: Engine): AsyncIterable<Table["rows"]> {
  const { id, from } = engine.dialect;
  const columns = twin.columns.map((c) => id(c.name)).join(", ");
  const sql = `SELECT ${columns} FROM ${from(twin.name)}`;
  return engine.stream({ sql, params: [], relations: [twin] });
}

async function proveText(
  text: AsyncIterable<string>,
  expected: string,
  part: string,
  request: WriteRequest,
): Promise<void> {
  let found = "";
  for await (const piece of text) found += piece;
  if (found !== expected)
    throw mismatch(request, `${part} of the workbook is not as it was written`);
}

/** Every line of the sheet against the twin's rows, as both are read. */
async function proveSheet(
  text: AsyncIterable<string>,
  book: Book,
  request: WriteRequest,
  engine: Engine,
): Promise<void> {
  const lines = splitAfter(text, ROW_END)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => (await lines.next()).value ?? "";
  if ((await next()) !== book.sheet.head + headerXml(book.columns))
    throw mismatch(request, "the header of the sheet is not the twin's");
  let done = 0;
  for await (const batch of rowsOf(request, engine)) {
    for (const values of batch) {
      if (++done > book.rows) continue;
      const xml = (await next()).slice(0, -ROW_END.length);
      const cell = rowDifference(book.columns, values, done + 1, xml);
      if (cell !== null) throw mismatch(request, `cell ${cell} is not the twin's value`, done + 1);
    }
  }
  if (done !== request.twin.rows) throw miscounted(request, done);
  if ((await next()) !== book.sheet.tail || (await next()) !== "")
    throw mismatch(request, "the sheet goes on after the twin's last row");
}

/** Text cut after each `end`; what follows the last one comes last. */
async function* splitAfter(text: AsyncIterable<string>, end: string): AsyncIterable<string> {
  let rest = "";
  for await (const piece of text) {
    const lines = (rest + piece).split(end);
    rest = lines.pop() ?? "";
    for (const line of lines) yield line + end;
  }
  yield rest;
}

async function* readable(
  text: AsyncIterable<string>,
  request: WriteRequest,
): AsyncIterable<string> {
  try {
    yield* text;
  } catch (e) {
    throw mismatch(request, "the workbook cannot be read back", undefined, e);
  }
}

function row(
  book: Book,
  values: readonly (string | null)[],
  line: number,
  request: WriteRequest,
): string {
  try {
    return rowXml(book.columns, values, line);
  } catch (e) {
    if (!(e instanceof CellTooLong)) throw e;
    throw new TieoutError("INEXACT", {
      subject: `${nameOf(request)}!${e.address}`,
      cause: e.message,
      remedy: "name the artefact .csv or .parquet, or select a shorter text into it",
    });
  }
}

function assertColumns(request: WriteRequest): void {
  const { columns } = xlsx.limits;
  if (columns === null || request.twin.columns.length <= columns) return;
  throw new TieoutError("INEXACT", {
    subject: nameOf(request),
    cause: `a sheet has at most ${columns} columns`,
    remedy: "name the artefact .csv or .parquet, or select fewer columns into it",
  });
}

function miscounted(request: WriteRequest, found: number): TieoutError {
  return mismatch(request, `the twin gave ${found} rows where ${request.twin.rows} were recorded`);
}

function mismatch(
  request: WriteRequest,
  cause: string,
  line?: number,
  because?: unknown,
): TieoutError {
  return new TieoutError("COUNT_MISMATCH", {
    subject: nameOf(request),
    cause,
    remedy: "run the id again: the workbook is written anew from its twin",
    ...(line === undefined ? {} : { at: { line } }),
    ...(because === undefined ? {} : { because }),
  });
}

function nameOf({ to }: WriteRequest): string {
  return to.split("/").at(-1) ?? "";
}
