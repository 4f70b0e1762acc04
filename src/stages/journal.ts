import type { Effects } from "../effects.js";
import { TieoutError } from "../model/errors.js";
import type { Path } from "../model/ids.js";
import { GENESIS, type JournalReading, journalLine, readJournal } from "../model/journal.js";

/**
 * Adds one line to an attempt's journal, chained to the one before (I017). The journal is read
 * first, so that a writer that lost its place cannot fork the chain. Claim writes the first line,
 * in a folder that it has just made; for any other stage an absent journal is an error.
 * @throws DAMAGED when the journal is not whole, DISK and DISK_FULL from the folder
 */
export async function append(
  journal: Path,
  event: string,
  record: unknown,
  fx: Pick<Effects, "folder" | "clock">,
): Promise<void> {
  const before = event === "claim" ? { lines: [], head: GENESIS } : await readWhole(journal, fx);
  const at = new Date(fx.clock.now()).toISOString();
  const line = { seq: before.lines.length + 1, prev: before.head, at, event, record };
  await fx.folder.append(journal, journalLine(line));
}

/** All whole lines. @throws DAMAGED naming the first line that breaks the chain */
export async function readWhole(
  journal: Path,
  fx: Pick<Effects, "folder">,
): Promise<JournalReading> {
  const reading = readJournal(await fx.folder.text(journal));
  if (reading.damage === null) return reading;
  throw new TieoutError("DAMAGED", {
    subject: `journal.jsonl:${reading.damage.line}`,
    cause: `line ${reading.damage.line} of the journal ${reading.damage.cause}`,
    remedy: "run the id again: a new attempt starts its own journal",
    at: { line: reading.damage.line },
  });
}
