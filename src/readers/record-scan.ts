import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import type { Path } from "../model/ids.js";

const BLOCK = 1 << 20;
/** A record holds at most this many bytes, its line end not counted. */
export const LONGEST_RECORD = BLOCK;
const LF = 10;
const CR = 13;
const SPACE = 32;
/** What a byte can be outside quotes; every other byte is 0. */
const DELIMITER = 1;
const QUOTE = 2;
const LINE_END = 3;
/** Instead of an index: the bytes at hand do not say; a quote stands where none may. */
const MORE = -1;
const MISPLACED = -2;

/** The bytes that shape a file: ASCII, no line end, and different. */
export interface Marks {
  readonly delimiter: number;
  readonly quote: number;
}

/**
 * Where a scan starts or stopped: a byte offset, from 0, that begins the line of this number, from
 * 1.
 */
export interface Place {
  readonly offset: number;
  readonly line: number;
}

export type LineEnd = "LF" | "CRLF" | "CR" | "none";

/**
 * One record as it lies in the scanner's buffer, which is reused: copy what is kept. A faulty
 * record is
 * only its first physical line, so that one bad quote does not take the good lines after it along.
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
 * a
 * line without bytes comes as a record of one empty field. `visit` returns false to stop early.
 * Gives the place after the last record visited, and whether all bytes up to there are UTF-8.
 * It shares no code with an engine, because its count is the second witness of I007.
 */
export function scanRecords(
  file: Path,
  marks: Marks,
  from: Place,
  visit: (record: Scanned) => boolean,
): Place & { readonly utf8: boolean } {
  const bytes = Buffer.allocUnsafe(3 * BLOCK);
  const record: Scanned = {
    ...{ bytes, start: 0, end: 0, line: from.line, breaks: 0, fields: 0 },
    ...{ ended: "none", fault: null },
  };
  const shape = shapeOf(marks);
  const fd = openSync(file, "r");
  try {
    let [position, held, utf8, dropping] = [from.offset, 0, true, false];
    for (;;) {
      const got = readSync(fd, bytes, held, BLOCK, position + held);
      held += got;
      const last = got === 0;
      const first = dropping ? afterLine(bytes, held, last) : 0;
      let at = first;
      while (at < held) {
        const next = take(record, shape, at, held, last);
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

/** What the bytes of one file mean, fixed for its scan. */
interface Shape {
  readonly quote: number;
  /** By byte: DELIMITER, QUOTE, LINE_END or 0. */
  readonly kinds: Uint8Array;
}

function shapeOf({ delimiter, quote }: Marks): Shape {
  const kinds = new Uint8Array(256);
  kinds[delimiter] = DELIMITER;
  kinds[quote] = QUOTE;
  kinds[LF] = kinds[CR] = LINE_END;
  return { quote, kinds };
}

/** Reads the record at `start` into `record`; gives where the next one starts, or MORE. */
function take(record: Scanned, shape: Shape, start: number, held: number, last: boolean): number {
  const { bytes } = record;
  const { kinds } = shape;
  record.start = start;
  record.breaks = 0;
  record.fault = null;
  let at = start;
  for (let fields = 1; ; fields++) {
    let end = at;
    while (end < held && kinds[bytes[end] ?? 0] === 0) end++;
    if (end < held && kinds[bytes[end] ?? 0] === QUOTE)
      end =
        end === at
          ? afterQuoted(record, shape.quote, at + 1, held, last)
          : afterPlain(bytes, kinds, at, held);
    const open = end === MORE || (end === held && !last);
    if (open && !last && held - start <= LONGEST_RECORD) return MORE;
    if (open) return fail(record, held, held, last);
    if (end === MISPLACED) return fail(record, at, held, last);
    const kind = end === held ? LINE_END : kinds[bytes[end] ?? 0];
    if (kind === DELIMITER) {
      at = end + 1;
      continue;
    }
    record.fields = fields;
    if (kind !== LINE_END || end - start > LONGEST_RECORD) return fail(record, end, held, last);
    return close(record, end, held, last);
  }
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

/**
 * The end of a field that does not begin with a quote: later quotes are data, unless only spaces
 * came before.
 */
function afterPlain(bytes: Buffer, kinds: Uint8Array, from: number, held: number): number {
  let space = from;
  while (bytes[space] === SPACE) space++;
  if (kinds[bytes[space] ?? 0] === QUOTE) return MISPLACED;
  let i = from;
  while (i < held && (kinds[bytes[i] ?? 0] === 0 || kinds[bytes[i] ?? 0] === QUOTE)) i++;
  return i;
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
