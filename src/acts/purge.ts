import type { Effects } from "../effects.js";
import { type Act, extendedOf, heldOf, purgedOf, type Tombstone } from "../model/act.js";
import { isTieout, TieoutError } from "../model/errors.js";
import { cacheFolder } from "../model/layout.js";
import type { PurgeRun } from "../model/retention.js";
import type { Committed } from "../model/run.js";
import { storedOf } from "../queries/committed.js";
import type { Purgeable, PurgePlan } from "../queries/expired.js";
import { readLedger } from "../queries/ledger.js";
import { appendAct } from "./ledger.js";

type Needs = Pick<Effects, "store" | "owner" | "folder" | "root">;

/**
 * Takes away what the plans list. Of each run its ledger says so first, with the rows and hash of
 * every file; only then are these removed, by version. An input that another run has too goes with
 * the last of them. What ends early is finished by purging again. Copies in this machine's cache
 * go too.
 * @throws UNKNOWN, STORE: some may be gone, and all that is gone is on a ledger; DAMAGED
 */
export async function purgeAll({ plans, now, all }: Purgeable, fx: Needs): Promise<PurgeRun[]> {
  const done: PurgeRun[] = [];
  for (const plan of plans) done.push(await purgeOne(plan, now, all, fx));
  if (done.some(({ removed }) => removed > 0)) await fx.folder.prune(cacheFolder(fx.root), 0);
  return done;
}

/** A plan as an answer: nothing of it was done. */
export function unpurged({ run, objects, pending, kept }: PurgePlan): PurgeRun {
  const undone = { removed: 0, shared: [], refused: [] };
  const listed = { objects: [...objects], pending: [...pending], kept: [...kept] };
  return { run_id: run.run_id, ...listed, ...undone };
}

async function purgeOne(
  plan: PurgePlan,
  now: number,
  all: readonly Committed[],
  fx: Needs,
): Promise<PurgeRun> {
  const { run, objects, pending } = plan;
  const done = unpurged(plan);
  const judge = (acts: readonly Act[]): void => assertMayGo(run, acts, now);
  const refusing = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (e) {
      if (!isTieout(e, "RETAINED")) throw e;
      done.refused.push(`${e.subject}: ${e.message}`);
      return false;
    }
  };
  const said =
    objects.length === 0 ||
    (await refusing(() => appendAct(run, "purge", { objects: [...objects] }, fx, judge)));
  for (const object of said ? [...pending, ...objects] : []) {
    const other = await otherWith(object, run, all, fx);
    if (other !== null) done.shared.push(`${object.path}: ${other.run_id} has it too`);
    else if (await refusing(() => fx.store.remove(storedOf(object)))) done.removed += 1;
  }
  return done;
}

/** Asked of the very acts that the purge would follow: a hold that came meanwhile counts. */
function assertMayGo(run: Committed, acts: readonly Act[], now: number): void {
  const held = heldOf(acts);
  const until = extendedOf(acts);
  const cause =
    held !== null
      ? `put on hold on ${held.since}`
      : until !== null && Date.parse(until) >= now
        ? `extended until ${until}`
        : null;
  if (cause === null) return;
  throw new TieoutError("RETAINED", {
    subject: run.run_id,
    cause: `it was ${cause} after the list was made`,
    remedy: "purge again when its time is over",
  });
}

/** Another run that has the same object (an input, by its content) and has not purged it. */
async function otherWith(
  { key }: Tombstone,
  run: Committed,
  all: readonly Committed[],
  fx: Needs,
): Promise<Committed | null> {
  for (const other of all) {
    if (other.run_id === run.run_id) continue;
    const own = other.receipts.receipts.filter((r) => r.key === key);
    if (own.length === 0) continue;
    const gone = purgedOf(await readLedger(other, fx));
    if (own.some(({ path }) => !gone.has(path))) return other;
  }
  return null;
}
