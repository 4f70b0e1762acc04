import type { Effects } from "../effects.js";
import { TieoutError } from "../model/errors.js";
import type { StoredDoc } from "../model/records.js";
import type { Committed } from "../model/run.js";
import { readCommitted, receiptOf, storedOf } from "../queries/committed.js";

/** An object, and the instant (ISO, inclusive) until which it is to be kept. */
interface Kept {
  readonly doc: StoredDoc;
  readonly until: string;
}

/**
 * After the commit every object that it leads to is retained: an artefact and its twin as long as
 * the job says, all else as long as the longest of them; what the run took from the previous one,
 * with the documents that prove it, as long too (I014). Only ever extends; may be done again.
 * @throws STORE when the store answers an earlier instant than it was asked for; UNKNOWN
 */
export async function retainKept(
  run: Committed,
  fx: Pick<Effects, "store" | "progress">,
): Promise<void> {
  const all = [...ownOf(run), ...(await previousOf(run, fx))];
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

/** The longest time that an artefact of the run is kept. */
function longest({ manifest }: Committed): string {
  return (
    manifest.artefacts
      .map((a) => a.retain_until)
      .sort()
      .at(-1) ?? manifest.finished_at
  );
}

function ownOf(run: Committed): Kept[] {
  const until = longest(run);
  const own = new Map(
    run.manifest.artefacts.flatMap((a) => [
      [a.path as string, a.retain_until],
      ...(a.twin === null ? [] : [[a.twin.path, a.retain_until] as const]),
    ]),
  );
  const { committed, commit, receipts } = run;
  return [
    ...receipts.receipts.map((doc) => ({ doc, until: own.get(doc.path) ?? until })),
    ...[commit.receipts, commit.manifest, committed].map((doc) => ({ doc, until })),
  ];
}

/** What of earlier runs this one stands on. A run that was lost since is not this run's trouble. */
async function previousOf(run: Committed, fx: Pick<Effects, "store">): Promise<Kept[]> {
  const until = longest(run);
  const kept: Kept[] = [];
  for (const { run_id, path } of run.manifest.previous) {
    if (run_id === null || path === null) continue;
    const before = await readCommitted(run_id, fx);
    if (before === null) continue;
    const { committed, commit } = before;
    for (const doc of [receiptOf(before, path), commit.receipts, commit.manifest, committed])
      kept.push({ doc, until });
  }
  return kept;
}
