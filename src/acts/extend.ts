import type { Effects } from "../effects.js";
import { extendedOf } from "../model/act.js";
import { TieoutError } from "../model/errors.js";
import type { AsOf } from "../model/ids.js";
import type { StoredDoc } from "../model/records.js";
import type { Committed } from "../model/run.js";
import { storedOf } from "../queries/committed.js";
import { readLedger } from "../queries/ledger.js";
import { keptObjects, standsOn } from "../queries/references.js";
import { appendAct } from "./ledger.js";

type Needs = Pick<Effects, "store" | "owner">;

/** What is asked for: the last day on which all is still kept (UTC), and why. */
export interface Extension {
  readonly until: AsOf;
  readonly reason: string;
}

/**
 * Keeps everything of a run at least to the end of a day, and what it took from earlier runs as
 * long. Never shortens (I014). The ledger says so first; run again after any end, it finishes.
 * @returns whether it is news: false when all of it was kept that long
 * @throws STORE when the store answers an earlier instant than it was asked for; UNKNOWN
 */
export async function extendRun(
  run: Committed,
  { until: day, reason }: Extension,
  fx: Needs,
): Promise<boolean> {
  const until = `${day}T23:59:59.999Z`;
  const own = await keptObjects(run, fx);
  const docs = [...own.map(({ doc }) => doc), ...(await standsOn(run, fx))];
  const short = await keptShorter(docs, until, fx);
  if (short.length === 0) return false;
  const said = extendedOf(await readLedger(run, fx));
  const isNews = said === null || Date.parse(said) < Date.parse(until);
  if (isNews) await appendAct(run, "extend", { until, reason }, fx);
  for (const doc of short) {
    const now = await fx.store.retain(storedOf(doc), until);
    if (isShorter(now.until, until)) throw notKept(doc.key, now.until, until);
  }
  return isNews;
}

async function keptShorter(
  docs: readonly StoredDoc[],
  until: string,
  fx: Needs,
): Promise<StoredDoc[]> {
  const short: StoredDoc[] = [];
  for (const doc of docs)
    if (isShorter((await fx.store.retention(storedOf(doc))).until, until)) short.push(doc);
  return short;
}

function isShorter(kept: string | null, until: string): boolean {
  return kept === null || Date.parse(kept) < Date.parse(until);
}

function notKept(subject: string, kept: string | null, until: string): TieoutError {
  return new TieoutError("STORE", {
    subject,
    cause: `the store keeps it until ${kept ?? "no date"} and was asked for ${until}`,
    remedy: "look at the store's lock with `tieout doctor`, then do it again",
  });
}
