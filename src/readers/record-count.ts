import { isUtf8 } from "node:buffer";
import type { Path } from "../model/ids.js";
import { openNumberedCopy } from "./numbered-copy.js";
import type { RecordFault } from "./record-faults.js";
import type { LineEnd, Marks } from "./record-marks.js";
import { type Place, type Scanned, scanRecords } from "./record-scan.js";

/** What to count; a plain value, because it crosses a thread. */
export interface CountRequest {
  readonly file: Path;
  readonly marks: Marks;
  /**
   * The first byte after the header, and how the first line of the file's records or header ended.
   */
  readonly from: Place;
  readonly ended: LineEnd;
  /** False when lines before `from` are no header, so that an engine must not see them. */
  readonly plain: boolean;
  readonly fields: number;
  readonly skip: { readonly last: number; readonly starting_with: readonly string[] };
  /** Where the numbered copy goes when the file is not plain. Absent before. */
  readonly copy: Path;
}

export interface Counted {
  /** Without the header and the lines before it. */
  readonly records: number;
  /** Declared skips, and lines that hold nothing where a record has more than one field. */
  readonly skipped: number;
  /**
   * A plain file: one line a record, none faulty, none skipped: an engine may read it as it is, and
   * records follow line `first_line`. Null: `copy` holds what is to be read.
   */
  readonly first_line: number | null;
  /** Some record of the copy holds a line end. */
  readonly broken: boolean;
}

/**
 * Counts the records of a file, judges the shape of each, and where the file is not plain writes
 * the numbered copy. Synchronous; on failure a part of the copy may be left under its name.
 */
export function countRecords(request: CountRequest): Counted {
  const { file, marks, from, fields, ended, skip } = request;
  const skips = skip.starting_with.flatMap((text) => openingsOf(text, marks));
  let [visited, blank, odd] = [0, 0, !request.plain || skip.last > 0];
  const plain = skips.length === 0 && (ended === "LF" || ended === "CRLF");
  const run = plain ? { fields, ended, seen: 0 } : null;
  const visit = (record: Scanned): boolean => {
    const verdict = judge(record, fields, skips, true);
    visited++;
    if (verdict === "blank") blank++;
    odd ||= verdict !== "row" || record.breaks > 0 || endsOddly(record, ended);
    return true;
  };
  const census = scanRecords(file, marks, from, visit, run);
  const records = visited + (run?.seen ?? 0);
  if (!odd && census.utf8) return { records, skipped: 0, first_line: from.line, broken: false };
  const copied = copyRecords(request, skips, records - blank, census.utf8);
  return {
    ...{ records, first_line: null, broken: copied.broken },
    skipped: copied.skipped + blank,
  };
}

type Verdict = "row" | "blank" | "skip" | RecordFault;

function judge(record: Scanned, fields: number, skips: readonly Buffer[], utf8: boolean): Verdict {
  const { bytes, start, end } = record;
  if (start === end && fields > 1) return "blank";
  for (const s of skips)
    if (end - start >= s.length && bytes.compare(s, 0, s.length, start, start + s.length) === 0)
      return "skip";
  if (record.fault !== null) return record.fault;
  if (!utf8 && !isUtf8(bytes.subarray(start, end))) return "BAD_UTF8";
  if (record.fields === fields) return "row";
  return record.fields < fields ? "TOO_FEW_FIELDS" : "TOO_MANY_FIELDS";
}

/** Only the last line may end otherwise than the first one does. */
function endsOddly(record: Scanned, ended: LineEnd): boolean {
  return record.ended === "CR" || (record.ended !== ended && record.ended !== "none");
}

/** How a first field that starts with a text can lie in the file: bare, or quoted. */
function openingsOf(text: string, marks: Marks): Buffer[] {
  const quote = String.fromCharCode(marks.quote);
  return [text, quote + text.replaceAll(quote, quote + quote)].map((s) => Buffer.from(s));
}

function copyRecords(
  request: CountRequest,
  skips: readonly Buffer[],
  filled: number,
  utf8: boolean,
): Pick<Counted, "skipped" | "broken"> {
  const { file, marks, from, fields } = request;
  const rows = filled - request.skip.last;
  const copy = openNumberedCopy(request.copy, marks, fields);
  try {
    let [seen, skipped, broken] = [0, 0, false];
    scanRecords(file, marks, from, (record) => {
      const verdict = judge(record, fields, skips, utf8);
      if (verdict === "blank") return true;
      seen++;
      if (verdict === "skip" || seen > rows) skipped++;
      else copy.add(record, verdict === "row" ? null : verdict);
      broken ||= record.breaks > 0;
      return true;
    });
    return { skipped, broken };
  } finally {
    copy.close();
  }
}
