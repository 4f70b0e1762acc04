import type { InvariantId } from "../../src/model/invariants.js";
import { readJournal } from "../../src/model/journal.js";
import { type Example, textIn } from "./example.js";

export function journalBreaks(example: Example): InvariantId[] {
  return readJournal(textIn(example, "journal.jsonl")).damage === null ? [] : ["I017"];
}

const TOLD = /^(journal\.jsonl|log\.jsonl|error\.json)$/;
/** Shorter cells (a currency, a status, a count) are words of the job as well. */
const TELLING = 6;

/** A cell of the example's `in/*.csv`, the header aside, that a journal, a log or an error repeats. */
export function leakBreaks(example: Example): InvariantId[] {
  const cells = [...example]
    .filter(([name]) => name.startsWith("in/"))
    .flatMap(([, csv]) => csv.trimEnd().split("\n").slice(1))
    .flatMap((row) => row.split(","))
    .filter((cell) => cell.length >= TELLING);
  const told = [...example].filter(([name]) => TOLD.test(name)).map(([, text]) => text);
  return told.some((text) => cells.some((cell) => text.includes(cell))) ? ["I018"] : [];
}
