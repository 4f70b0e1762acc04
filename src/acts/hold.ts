import type { Effects } from "../effects.js";
import { heldOf, purgedOf } from "../model/act.js";
import { TieoutError } from "../model/errors.js";
import type { Committed } from "../model/run.js";
import { storedOf } from "../queries/committed.js";
import { readLedger } from "../queries/ledger.js";
import { everyRun, objectsOf } from "../queries/references.js";
import { appendAct } from "./ledger.js";

type Needs = Pick<Effects, "store" | "owner">;

const TRIES = 8;

/**
 * Puts a run on hold: until it is released nothing of it is purged, however old it is. The ledger
 * says so first, then the store is told of every object; run again after any end, it finishes.
 * @returns whether it is news: false when the run was on hold for that reason
 * @throws STORE, UNKNOWN with some objects told and others not
 */
export async function holdRun(run: Committed, reason: string, fx: Needs): Promise<boolean> {
  const held = heldOf(await readLedger(run, fx));
  const isNews = held?.reasons.includes(reason) !== true;
  if (isNews) await appendAct(run, "hold", { reason }, fx);
  await settle(run, fx);
  return isNews;
}

/**
 * Ends every hold of a run. What another held run also refers to (an input, by its content) stays
 * on hold for that one.
 * @returns whether it is news: false when the run was not on hold
 * @throws STORE, UNKNOWN as `holdRun`
 */
export async function releaseRun(run: Committed, reason: string, fx: Needs): Promise<boolean> {
  const isNews = heldOf(await readLedger(run, fx)) !== null;
  if (isNews) await appendAct(run, "release", { reason }, fx);
  await settle(run, fx);
  return isNews;
}

/**
 * Tells the store what the ledgers say, until they say the same after as before: of a hold and a
 * release at once the later on the ledger counts, in whatever order the store heard of them.
 */
async function settle(run: Committed, fx: Needs): Promise<void> {
  let said = await heldKeys(run, fx);
  for (let tries = 0; tries < TRIES; tries++) {
    await tell(run, said, fx);
    const now = await heldKeys(run, fx);
    if (now.size === said.size && [...now].every((key) => said.has(key))) return;
    said = now;
  }
  throw new TieoutError("STORE", {
    subject: run.run_id,
    cause: "others hold and release it all the time",
    remedy: "try again later",
  });
}

/** The keys of a run's objects that must be on hold: for itself, or for another held run. */
async function heldKeys(run: Committed, fx: Needs): Promise<Set<string>> {
  const own = objectsOf(run).map(({ doc }) => doc.key);
  if (heldOf(await readLedger(run, fx)) !== null) return new Set(own);
  const mine = new Set(own);
  const held = new Set<string>();
  for (const other of await everyRun(fx)) {
    const shared = objectsOf(other).filter(({ doc }) => mine.has(doc.key));
    if (other.run_id === run.run_id || shared.length === 0) continue;
    if (heldOf(await readLedger(other, fx)) === null) continue;
    for (const { doc } of shared) held.add(doc.key);
  }
  return held;
}

async function tell(run: Committed, held: ReadonlySet<string>, fx: Needs): Promise<void> {
  const purged = purgedOf(await readLedger(run, fx));
  for (const { path, doc } of objectsOf(run)) {
    const stored = storedOf(doc);
    if (purged.has(path) && (await fx.store.head(stored.key, stored.version)) === null) continue;
    const on = held.has(doc.key);
    const { held: is } = await fx.store.hold(stored, on);
    if (is !== on) throw notTold(doc.key, on);
  }
}

function notTold(subject: string, on: boolean): TieoutError {
  return new TieoutError("STORE", {
    subject,
    cause: `the store does not say that it is ${on ? "on" : "off"} hold after it was told so`,
    remedy: "look at the store with `tieout doctor`, then do it again",
  });
}
