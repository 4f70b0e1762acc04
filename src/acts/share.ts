import type { Effects } from "../effects.js";
import { isTieout, TieoutError } from "../model/errors.js";
import { keyOf } from "../model/layout.js";
import type { Sharing } from "../model/report.js";
import type { Committed } from "../model/run.js";
import { fetchCached } from "../queries/cache.js";
import { receiptOf } from "../queries/committed.js";
import { sharingOf, wantedOf } from "../queries/shared.js";
import { createKnowing } from "../stages/keep.js";
import { appendAct } from "./ledger.js";

type Needs = Pick<Effects, "store" | "shares" | "folder" | "root" | "owner" | "log">;

/**
 * Copies the artefacts of a committed run that people read to the destinations that its job names,
 * each from the bytes that the store keeps, and says so on the run's ledger. What the ledger has is
 * not copied again. A copy that cannot be made stays pending, with the reason, and stops no other;
 * nothing of it is there, or the whole file, which the next call finds.
 * @throws DAMAGED when the ledger is damaged, or the store has lost what was to be copied
 */
export async function share(run: Committed, fx: Needs): Promise<Sharing[]> {
  const told: Sharing[] = [];
  let known: readonly Sharing[];
  try {
    known = await sharingOf(run, fx);
  } catch (e) {
    return wantedOf(run, fx).map((s) => (s.state === "pending" ? { ...s, why: whyNot(e) } : s));
  }
  for (const sharing of known) {
    const why = sharing.state === "pending" ? await attempt(sharing, run, fx) : sharing.why;
    const state = sharing.state === "pending" && why === null ? "shared" : sharing.state;
    told.push({ ...sharing, state, why });
    const { artefact, destination } = sharing;
    fx.log.info("share", { artefact, destination, state });
  }
  return told;
}

/** Null once the copy is there and recorded, else why it is not. */
async function attempt(sharing: Sharing, run: Committed, fx: Needs): Promise<string | null> {
  try {
    await copy(sharing, run, fx);
    return null;
  } catch (e) {
    return whyNot(e);
  }
}

/** Damage and bugs of ours are never only pending. */
function whyNot(e: unknown): string {
  if (isTieout(e) && e.code !== "DAMAGED") return e.message;
  throw e;
}

async function copy(
  { artefact, destination, to }: Sharing,
  run: Committed,
  fx: Needs,
): Promise<void> {
  const doc = receiptOf(run, artefact);
  const { sha256, size_bytes } = doc;
  const path = await fetchCached(doc, fx);
  const place = await fx.shares.open(destination);
  const body = fx.folder.body(path, { sha256, size_bytes });
  const tags = { job: run.manifest.job, run_id: run.run_id, sha256 };
  const { mine } = await createKnowing(keyOf(to), body, tags, { store: place });
  if (!mine)
    throw new TieoutError("EXISTS", {
      subject: `${destination}:${to}`,
      cause: `${to} is there already with other bytes, and is not written over`,
      remedy: `take that file away, then run tieout share ${run.run_id}`,
    });
  const file = { path: artefact, to, sha256, size_bytes };
  await appendAct(run, "share", { destination, files: [file] }, fx);
}
