import type { Effects } from "../effects.js";
import { TieoutError } from "../model/errors.js";
import type { Committed } from "../model/run.js";
import { storedOf } from "../queries/committed.js";
import { type KeptObject, longestOf, standsOn } from "../queries/references.js";

/**
 * After the commit every object that it leads to is retained: an artefact and its twin as long as
 * the job says, all else as long as the longest of them; what the run took from the previous one,
 * with the documents that prove it, as long too (I014). Only ever extends; may be done again.
 * @param kept - the run's own objects, as `keptObjects` gives them
 * @throws STORE when the store answers an earlier instant than it was asked for; UNKNOWN
 */
export async function retainKept(
  run: Committed,
  kept: readonly KeptObject[],
  fx: Pick<Effects, "store" | "progress">,
): Promise<void> {
  const until = longestOf(run);
  const previous = await standsOn(run, fx);
  const all = [...kept, ...previous.map((doc) => ({ doc, until }))];
  for (const [i, { doc, until }] of all.entries()) {
    fx.progress.stage("retain", doc.key, i, all.length);
    const now = await fx.store.retain(storedOf(doc), until);
    if (now.until !== null && Date.parse(now.until) >= Date.parse(until)) continue;
    throw new TieoutError("STORE", {
      subject: doc.key,
      cause: `the store keeps it until ${now.until ?? "no date"} and was asked for ${until}`,
      remedy: "look at the bucket's lock with `tieout doctor`, then run the id again",
    });
  }
}
