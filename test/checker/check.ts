import type { InvariantId } from "../../src/model/invariants.js";
import { answerBreaks } from "./answer.js";
import type { Example } from "./example.js";
import { jobBreaks } from "./job.js";
import { journalBreaks, leakBreaks } from "./journal.js";
import { queryBreaks } from "./query.js";
import { sourceBreaks } from "./source.js";
import { traceBreaks } from "./trace.js";
import { folderBreaks, storeBreaks } from "./tree.js";

type Checker = (example: Example) => readonly InvariantId[] | Promise<readonly InvariantId[]>;

/** What an example is, by a file or folder that it has, and who checks that kind. */
const CHECKERS: readonly { readonly has: RegExp; readonly check: Checker }[] = [
  { has: /^job\.yaml$/, check: jobBreaks },
  { has: /^query\.sql$/, check: queryBreaks },
  { has: /^src\//, check: sourceBreaks },
  { has: /^answer\.json$/, check: answerBreaks },
  { has: /^journal\.jsonl$/, check: journalBreaks },
  { has: /^(journal\.jsonl|log\.jsonl|error\.json)$/, check: leakBreaks },
  { has: /^trace\.txt$/, check: traceBreaks },
  { has: /^runs\//, check: folderBreaks },
  { has: /^store\//, check: storeBreaks },
];

/** The numbers of the invariants that an example breaks, each once, sorted. */
export async function breaksOf(example: Example): Promise<InvariantId[]> {
  const names = [...example.keys()];
  const checkers = CHECKERS.filter(({ has }) => names.some((name) => has.test(name)));
  if (checkers.length === 0) throw new Error(`no checker for ${names.join(", ")}`);
  const found = await Promise.all(checkers.map(({ check }) => check(example)));
  return [...new Set(found.flat())].sort();
}
