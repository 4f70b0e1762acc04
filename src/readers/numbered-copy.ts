import { isUtf8 } from "node:buffer";
import { closeSync, openSync, writeSync } from "node:fs";
import type { Path } from "../model/ids.js";
import { RECORD_FAULTS, type RecordFault } from "./record-faults.js";
import { LF, type Marks } from "./record-marks.js";
import type { Scanned } from "./record-scan.js";

const BLOCK = 1 << 20;
/** Evidence of a faulty record beyond these bytes is left out, and that is said. */
const RAW_BYTES = 100_000;

/**
 * A copy of a file's records, byte for byte, without header, skips and blank lines, each ended by
 * LF and with two fields in front: the line that it starts on in the source, and nothing. For a
 * faulty record the second field is its fault's place in RECORD_FAULTS, then comes its text as one
 * quoted field, and empty fields fill it up. So what cannot be read as it came can be read by the
 * same strict reader.
 */
export interface NumberedCopy {
  readonly add: (record: Scanned, fault: RecordFault | null) => void;
  readonly close: () => void;
}

export function openNumberedCopy(to: Path, marks: Marks, fields: number): NumberedCopy {
  const fd = openSync(to, "wx");
  const out = Buffer.allocUnsafe(2 * BLOCK);
  const delimiter = String.fromCharCode(marks.delimiter);
  let used = 0;
  const flush = (): void => {
    for (let done = 0; done < used; ) done += writeSync(fd, out, done, used - done);
    used = 0;
  };
  const put = (text: string): void => {
    const size = Buffer.byteLength(text);
    if (used + size > out.length) flush();
    used += out.write(text, used);
  };
  return {
    add: ({ bytes, start, end, line }, fault) => {
      if (fault !== null) {
        const code = RECORD_FAULTS.findIndex((f) => f.code === fault);
        const raw = quoted(evidence(bytes.subarray(start, end)), marks);
        return put(`${line}${delimiter}${code}${delimiter}${raw}${delimiter.repeat(fields - 1)}\n`);
      }
      put(`${line}${delimiter}${delimiter}`);
      if (used + end - start + 1 > out.length) flush();
      used += bytes.copy(out, used, start, end);
      out[used++] = LF;
    },
    close: () => {
      try {
        flush();
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** A record as text that shows its every byte: bytes that are not UTF-8 as \xHH. */
function evidence(bytes: Buffer): string {
  const part = bytes.subarray(0, RAW_BYTES);
  const cut = part.length < bytes.length ? ` … (${bytes.length} bytes or more)` : "";
  if (isUtf8(part)) return part.toString("utf8") + cut;
  const escaped = part.toString("latin1").replace(/[\x80-\xff]/g, (c) => {
    return `\\x${c.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return escaped + cut;
}

function quoted(text: string, marks: Marks): string {
  const quote = String.fromCharCode(marks.quote);
  return quote + text.replaceAll(quote, quote + quote) + quote;
}
