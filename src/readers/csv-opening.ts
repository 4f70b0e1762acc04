import { closeSync, openSync, readSync } from "node:fs";
import { TieoutError } from "../model/errors.js";
import type { CsvForm } from "./csv-form.js";
import type { PinnedFile } from "./reader.js";
import type { LineEnd } from "./record-marks.js";
import { type Place, type Scanned, scanRecords } from "./record-scan.js";

/** What a file says before its first record. */
export interface Opening {
  /** The header's names in order; null when the job says that there is none. */
  readonly names: readonly string[] | null;
  /** Fields of the header, or else of the first record; 0 when there is neither. */
  readonly fields: number;
  /** Where the records begin, and how the header's line, or else the first record's, ended. */
  readonly from: Place;
  readonly ended: LineEnd;
  /** True when nothing but a header comes before the first record. */
  readonly plain: boolean;
}

/** No byte is such a mark: every line is a record of one field. */
const NO_MARKS = { delimiter: -1, quote: -1 };

/**
 * Reads past the byte order mark, `preamble` lines and the header.
 * @throws INPUT_INVALID for UTF-16, a missing header or one that cannot be read
 */
export function openingOf(file: PinnedFile, form: CsvForm, preamble: number): Opening {
  const top = afterLines(file, { offset: markSize(file), line: 1 }, preamble);
  const plain = preamble === 0;
  const first = firstRecord(file, form, top);
  if (!form.header)
    return {
      ...{ names: null, from: top, plain },
      ...{ fields: first?.fields ?? 0, ended: first?.ended ?? "none" },
    };
  if (first === null) throw headerMissing(file, preamble);
  if (!first.sound) throw headerBroken(file, first.line);
  return {
    names: fieldsOf(first.text, form),
    fields: first.fields,
    from: first.after,
    ended: first.ended,
    plain: plain && first.line === 1,
  };
}

interface First extends Pick<Scanned, "fields" | "line" | "ended"> {
  readonly text: string;
  readonly sound: boolean;
  readonly after: Place;
}

/** The first record that has a byte. */
function firstRecord(file: PinnedFile, form: CsvForm, from: Place): First | null {
  const found: Omit<First, "after">[] = [];
  const after = scanRecords(file.path, form, from, (record) => {
    const { bytes, start, end, fields, line, ended, fault } = record;
    if (start === end) return true;
    const text = bytes.toString("utf8", start, end);
    const sound = fault === null && Buffer.from(text).equals(bytes.subarray(start, end));
    found.push({ fields, line, ended, text, sound });
    return false;
  });
  return found[0] === undefined ? null : { ...found[0], after };
}

function afterLines(file: PinnedFile, from: Place, lines: number): Place {
  if (lines === 0) return from;
  let seen = 0;
  const after = scanRecords(file.path, NO_MARKS, from, () => ++seen < lines);
  if (seen === lines) return after;
  throw new TieoutError("INPUT_INVALID", {
    subject: file.source,
    cause: `the file has ${seen} lines, and the job skips the first ${lines}`,
    remedy: "export the file again, or lower skip.first",
  });
}

/** Bytes of the UTF-8 byte order mark, 0 without one. */
function markSize(file: PinnedFile): number {
  const head = Buffer.alloc(3);
  const fd = openSync(file.path, "r");
  try {
    readSync(fd, head, 0, 3, 0);
  } finally {
    closeSync(fd);
  }
  const two = head.readUInt16BE(0);
  if (two === 0xfeff || two === 0xfffe)
    throw new TieoutError("INPUT_INVALID", {
      subject: file.source,
      cause: "the file is UTF-16",
      remedy: "export it as UTF-8, with or without a byte order mark",
      at: { line: 1 },
    });
  return head.equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
}

/** The values of one sound record. */
function fieldsOf(record: string, form: CsvForm): string[] {
  const quote = String.fromCharCode(form.quote);
  const delimiter = String.fromCharCode(form.delimiter);
  const fields: string[] = [];
  for (let at = 0; at <= record.length; at++) {
    let value = "";
    if (record[at] === quote) {
      let close = record.indexOf(quote, at + 1);
      while (record[close + 1] === quote) close = record.indexOf(quote, close + 2);
      value = record.slice(at + 1, close).replaceAll(quote + quote, quote);
      at = close + 1;
    } else {
      const end = record.indexOf(delimiter, at);
      value = record.slice(at, end === -1 ? record.length : end);
      at = end === -1 ? record.length : end;
    }
    fields.push(value);
  }
  return fields;
}

function headerMissing(file: PinnedFile, preamble: number): TieoutError {
  return new TieoutError("INPUT_INVALID", {
    subject: file.source,
    cause: preamble > 0 ? "no header after the skipped lines" : "the file is empty: no header",
    remedy: "export the file again with its header, or declare csv: { header: false }",
    at: { line: preamble + 1 },
  });
}

function headerBroken(file: PinnedFile, line: number): TieoutError {
  return new TieoutError("INPUT_INVALID", {
    subject: file.source,
    cause: `the header on line ${line} has a quote out of place or bytes that are not UTF-8`,
    remedy: "export the file as UTF-8 with its header, or declare skip.first for lines before it",
    at: { line },
  });
}
