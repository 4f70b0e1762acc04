import { z } from "zod";
import { canonicalJson, sha256Of } from "./canonical.js";
import { Sha256 } from "./ids.js";

/**
 * One line of an attempt's journal. `prev` is the SHA-256 of the line before, without its line end
 * (I017).
 */
export const JournalLine = z.object({
  seq: z.int(),
  prev: Sha256,
  at: z.string(),
  event: z.string(),
  record: z.unknown(),
});
export type JournalLine = z.infer<typeof JournalLine>;

/** `prev` of the first line. */
export const GENESIS = sha256Of("tieout/journal/1");

export function journalLine(line: JournalLine): string {
  return canonicalJson(line);
}

export interface JournalReading {
  readonly lines: readonly JournalLine[];
  /** Hash of the last whole line, GENESIS when there is none. */
  readonly head: Sha256;
  /** A last line without its line end, as a crash leaves it. */
  readonly torn: boolean;
  /** The first damaged line from 1 and what is wrong with it, or null. */
  readonly damage: { readonly line: number; readonly cause: string } | null;
}

/** Reads a journal's text. A torn last line is tolerated, any other damage is named. */
export function readJournal(text: string): JournalReading {
  const parts = text.split("\n");
  const torn = parts.pop() !== "";
  const lines: JournalLine[] = [];
  let head: Sha256 = GENESIS;
  for (const [i, part] of parts.entries()) {
    const line = parseLine(part);
    const cause =
      line === null
        ? "is not a journal line"
        : line.prev !== head
          ? "does not follow the line before it"
          : line.seq !== i + 1
            ? "has the wrong number"
            : null;
    if (line === null || cause !== null)
      return { lines, head, torn, damage: { line: i + 1, cause: cause ?? "" } };
    lines.push(line);
    head = sha256Of(part);
  }
  return { lines, head, torn, damage: null };
}

function parseLine(text: string): JournalLine | null {
  try {
    const line = JournalLine.parse(JSON.parse(text));
    return canonicalJson(line) === text ? line : null;
  } catch {
    return null;
  }
}
