/** The bytes that shape a delimited file: ASCII, no line end, and different. */
export interface Marks {
  readonly delimiter: number;
  readonly quote: number;
}

export const LF = 10;
export const CR = 13;
/** A record holds at most this many bytes, its line end not counted. */
export const LONGEST_RECORD = 1 << 20;

export type LineEnd = "LF" | "CRLF" | "CR" | "none";
