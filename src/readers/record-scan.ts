import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import type { Path } from "../model/ids.js";
import { type PlainRun, passPlain } from "./plain-run.js";
import { CR, LF, type LineEnd, LONGEST_RECORD, type Marks } from "./record-marks.js";

const BLOCK = 1 << 20;
const SPACE = 32;
/** Instead of an index: the bytes at hand do not say. */
const MORE = -1;

/**
 * Where a scan starts or stopped: a byte offset, from 0, that begins the line of this number, from
 * 1.
 */
export interface Place {
  readonly offset: number;
  readonly line: number;
}

/**
 * One record as it lies in the scanner's buffer, which is reused: copy what is kept. A faulty
 * record is only its first physical line, so that one bad quote does not take the good lines after
 * it along.
 */
export interface Scanned {
  readonly bytes: Buffer;
  /** Its first byte in `bytes`, and the byte after its last; the line end lies outside. */
  start: number;
  end: number;
  /** The line that it starts on, and how many line ends its quoted fields hold. */
  line: number;
  breaks: number;
  fields: number;
  ended: LineEnd;
  fault: "BAD_QUOTE" | "RECORD_TOO_LONG" | null;
}

/**
 * Every record of a delimited file in order, in one pass over its bytes by synchronous 1 MB blocks;
 * a line without bytes comes as a record of one empty field. `visit` returns false to stop early;
 * records that `plain` describes are counted there and not visited. Gives the place after the last
 * record, and whether all bytes up to there are UTF-8. It shares no code with an engine, because
 * its count is the second witness of I007.
 */
export function scanRecords(
  file: Path,
  marks: Marks,
  from: Place,
  visit: (record: Scanned) => boolean,
  plain: PlainRun | null = null,
): Place & { readonly utf8: boolean } {
  const bytes = Buffer.allocUnsafe(3 * BLOCK + 1);
  const record: Scanned = {
    ...{ bytes, start: 0, end: 0, line: from.line, breaks: 0, fields: 0 },
    ...{ ended: "none", fault: null },
  };
  const fd = openSync(file, "r");
  try {
    let [position, held, utf8, dropping] = [from.offset, 0, true, false];
    for (;;) {
      const got = readSync(fd, bytes, held, BLOCK, position + held);
      held += got;
      bytes[held] = LF; // ends every search, so that the loop over bytes needs no second bound
      const last = got === 0;
      const first = dropping ? afterLine(bytes, held, last) : 0;
      let at = first;
      while (at < held) {
        if (plain !== null) {
          const seen = plain.seen;
          at = passPlain(plain, marks, bytes, at, held);
          record.line += plain.seen - seen;
          if (at === held) break;
        }
        const next = take(record, marks, at, held, last);
        if (next === MORE) break;
        at = next;
        const going = visit(record);
        record.line += record.breaks + 1;
        if (!going) return { offset: position + at, line: record.line, utf8 };
        dropping = record.ended === "none";
      }
      utf8 &&= isUtf8(bytes.subarray(first, at));
      position += at;
      if (last) return { offset: position, line: record.line, utf8 };
      bytes.copyWithin(0, at, held);
      held -= at;
    }
  } finally {
    closeSync(fd);
  }
}

/** The index after the first line end; all bytes but an undecided CR when there is none. */
function afterLine(bytes: Buffer, held: number, last: boolean): number {
  const at = lineEnd(bytes, 0, held);
  if (at === held) return held;
  if (bytes[at] === LF) return at + 1;
  if (at + 1 === held) return last ? held : at;
  return bytes[at + 1] === LF ? at + 2 : at + 1;
}

function lineEnd(bytes: Buffer, from: number, held: number): number {
  let i = from;
  while (i < held && bytes[i] !== LF && bytes[i] !== CR) i++;
  return i;
}

/** Reads the record at `start` into `record`; gives where the next one starts, or MORE. */
function take(record: Scanned, marks: Marks, start: number, held: number, last: boolean): number {
  const { bytes } = record;
  const { delimiter, quote } = marks;
  const highest = Math.max(delimiter, quote, CR);
  record.start = start;
  record.breaks = 0;
  record.fault = null;
  let at = start;
  let field = start;
  let fields = 1;
  for (;;) {
    const byte = bytes[at] ?? LF;
    if (byte > highest) at++;
    else if (byte === delimiter) {
      field = ++at;
      fields++;
    } else if (byte === quote && at === field) {
      at = afterQuoted(record, quote, at + 1, held, last);
      if (at === MORE) return unended(record, held, last);
      if (bytes[at] !== delimiter && bytes[at] !== LF && bytes[at] !== CR)
        return fail(record, at, held, last);
    } else if (byte === quote) {
      if (onlySpaces(bytes, field, at)) return fail(record, at, held, last);
      at++;
    } else if (byte !== LF && byte !== CR) at++;
    else {
      if (at === held && !last) return unended(record, held, last);
      record.fields = fields;
      if (at - start > LONGEST_RECORD) return fail(record, at, held, last);
      return close(record, at, held, last);
    }
  }
}

/** The record's end is not among the bytes held. */
function unended(record: Scanned, held: number, last: boolean): number {
  return !last && held - record.start <= LONGEST_RECORD ? MORE : fail(record, held, held, last);
}

/** Whether a field that holds a quote has only spaces before it; otherwise the quote is data. */
function onlySpaces(bytes: Buffer, from: number, to: number): boolean {
  let at = from;
  while (bytes[at] === SPACE) at++;
  return at >= to;
}

/** The index after a closing quote; counts the line ends before it. */
function afterQuoted(
  record: Scanned,
  quote: number,
  from: number,
  held: number,
  last: boolean,
): number {
  const { bytes } = record;
  for (let i = from; i < held; i++) {
    const byte = bytes[i];
    if (byte === LF || (byte === CR && bytes[i + 1] !== LF)) record.breaks++;
    if (byte !== quote) continue;
    if (i + 1 === held) return last ? held : MORE;
    if (bytes[i + 1] !== quote) return i + 1;
    i++;
  }
  return MORE;
}

/** The record shrinks to its first line; `seen` is how far it was read when its fault showed. */
function fail(record: Scanned, seen: number, held: number, last: boolean): number {
  const long = seen - record.start > LONGEST_RECORD;
  const end = lineEnd(record.bytes, record.start, held);
  if (end === held && !last && !long) return MORE;
  record.fault = long ? "RECORD_TOO_LONG" : "BAD_QUOTE";
  record.breaks = 0;
  return close(record, end, held, last);
}

function close(record: Scanned, end: number, held: number, last: boolean): number {
  const { bytes } = record;
  record.end = end;
  record.ended = "none";
  if (end === held) return held;
  record.ended = "LF";
  if (bytes[end] === LF) return end + 1;
  if (end + 1 === held && !last) return MORE;
  record.ended = "CR";
  if (end + 1 === held || bytes[end + 1] !== LF) return end + 1;
  record.ended = "CRLF";
  return end + 2;
}
