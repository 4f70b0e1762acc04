import { CR, LF, type LineEnd, LONGEST_RECORD, type Marks } from "./record-marks.js";

/**
 * Records that need no look: so many fields, no quote, one way to end their line. Most files hold
 * nothing else, and counting them in one loop costs half of visiting each.
 */
export interface PlainRun {
  readonly fields: number;
  readonly ended: Exclude<LineEnd, "CR" | "none">;
  /** Grows by each record passed over. */
  seen: number;
}

/**
 * Passes over plain records from `from`; gives the start of the first that is not one. At `held`
 * there must be an LF, which is none of the bytes held.
 */
export function passPlain(
  run: PlainRun,
  { delimiter, quote }: Marks,
  bytes: Uint8Array,
  from: number,
  held: number,
): number {
  const highest = Math.max(delimiter, quote, CR);
  const crlf = run.ended === "CRLF";
  let seen = 0;
  let start = from;
  let fields = 1;
  for (let at = from; ; ) {
    // The casts are measured: a default for what lies outside would cost a third of the count.
    let byte = bytes[at++] as number;
    while (byte > highest) byte = bytes[at++] as number;
    if (byte === delimiter) fields++;
    else if (byte === LF) {
      const whole = at <= held && at - 1 - start <= LONGEST_RECORD;
      if (!whole || fields !== run.fields || (bytes[at - 2] === CR) !== crlf) break;
      seen++;
      start = at;
      fields = 1;
    } else if (byte === quote || (byte === CR && !(crlf && bytes[at] === LF))) break;
  }
  run.seen += seen;
  return start;
}
