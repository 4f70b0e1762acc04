import type { Effects } from "../effects.js";
import { type Act, heldOf, purgedOf, type Tombstone } from "../model/act.js";
import { type JobName, partsOf, type RunId } from "../model/ids.js";
import type { Committed } from "../model/run.js";
import { unknownRun } from "./catalogue.js";
import { keptUntil, retentionOf } from "./kept.js";
import { readLedger } from "./ledger.js";
import { everyRun, type KeptObject, objectsOf, refersTo } from "./references.js";

type Needs = Pick<Effects, "store">;

/** What a purge would take of one run, and what it leaves and why. */
export interface PurgePlan {
  readonly run: Committed;
  readonly objects: readonly Tombstone[];
  /** On the ledger since an earlier purge that ended early, and still in the store. */
  readonly pending: readonly Tombstone[];
  readonly kept: readonly string[];
}

export interface Purgeable {
  /** The store's clock, milliseconds since 1970. */
  readonly now: number;
  readonly plans: readonly PurgePlan[];
  /** Every committed run of the store, the chosen ones included. */
  readonly all: readonly Committed[];
}

interface Ledgered {
  readonly run: Committed;
  readonly acts: readonly Act[];
}

/**
 * Files with rows of which the time is over by the store's clock, that are not on hold, and that no
 * other run which is itself kept refers to; by run. The run's words stay: its commit, manifest,
 * receipts, ledger, SQL and journal.
 * @param asked - all runs, those of a job, or one, by its id
 * @throws UNKNOWN_RUN; DAMAGED when a document of any run is, for it cannot say what it refers to
 */
export async function purgeable(
  asked: { readonly job: JobName | null; readonly run: RunId | null },
  fx: Needs,
): Promise<Purgeable> {
  const now = await fx.store.now();
  const all: Ledgered[] = [];
  for (const run of await everyRun(fx)) all.push({ run, acts: await readLedger(run, fx) });
  const chosen = all.filter(
    ({ run }) =>
      (asked.job === null || run.manifest.job === asked.job) &&
      (asked.run === null || run.run_id === asked.run),
  );
  const ids = all.map(({ run }) => run.run_id);
  if (asked.run !== null && chosen.length === 0) throw unknownRun(asked.run, ids);
  const kept = all.filter((one) => isKept(one, now)).map(({ run }) => run);
  const plans: PurgePlan[] = [];
  for (const one of chosen) {
    const plan = await planOf(one, now, kept, fx);
    const carried = asked.run === null && plan.objects.length > 0 && isCarried(one.run, ids);
    plans.push(carried ? planless(one.run, CARRIED) : plan);
  }
  return { now, plans, all: all.map(({ run }) => run) };
}

const CARRIED = "it is the latest of its job, which the next run carries forward; name it to purge";

/** The latest run of a job that reads its previous one. */
function isCarried({ run_id, manifest }: Committed, ids: readonly RunId[]): boolean {
  const { job, as_of, revision } = partsOf(run_id);
  const isLater = (id: RunId): boolean => {
    const other = partsOf(id);
    if (other.job !== job) return false;
    return other.as_of > as_of || (other.as_of === as_of && other.revision > revision);
  };
  return manifest.previous.length > 0 && !ids.some(isLater);
}

/** Whether a run is on hold, or has a file with rows whose time is not over. */
function isKept({ run, acts }: Ledgered, now: number): boolean {
  const gone = purgedOf(acts);
  const data = objectsOf(run).filter((o) => o.data && !gone.has(o.path));
  const isYoung = (o: KeptObject) => Date.parse(keptUntil(o, acts, null)) >= now;
  return heldOf(acts) !== null || data.some(isYoung);
}

async function planOf(
  { run, acts }: Ledgered,
  now: number,
  kept: readonly Committed[],
  fx: Needs,
): Promise<PurgePlan> {
  const held = heldOf(acts);
  if (held !== null)
    return planless(run, `on hold since ${held.since}: ${held.reasons.join("; ")}`);
  const gone = purgedOf(acts);
  const reasons = new Map<string, string[]>();
  const objects: Tombstone[] = [];
  const pending: Tombstone[] = [];
  for (const object of objectsOf(run).filter((o) => o.data)) {
    const told = await retentionOf(object.doc, fx);
    if (told === null && gone.has(object.path)) continue;
    const until = keptUntil(object, acts, told);
    const by = kept.filter((r) => r !== run && refersTo(r).has(object.doc.key));
    const why =
      told === null
        ? "the store has lost it: see tieout recheck"
        : Date.parse(until) >= now
          ? `kept until ${until}`
          : told.held
            ? "on hold in the store"
            : by.length > 0
              ? `${by.map((r) => r.run_id).join(", ")} refers to it`
              : null;
    if (why !== null) reasons.set(why, [...(reasons.get(why) ?? []), object.path]);
    else (gone.has(object.path) ? pending : objects).push(tombstone(object));
  }
  const kept_why = [...reasons].map(([why, paths]) => `${paths.join(", ")}: ${why}`);
  const nothing = objects.length + pending.length + kept_why.length === 0;
  return { run, objects, pending, kept: nothing ? [purgedBefore(gone.size)] : kept_why };
}

function planless(run: Committed, why: string): PurgePlan {
  return { run, objects: [], pending: [], kept: [why] };
}

function purgedBefore(files: number): string {
  return files === 0 ? "it has no file with rows" : `its ${files} files were purged before`;
}

function tombstone({ path, doc, rows }: KeptObject): Tombstone {
  const { key, version, sha256, size_bytes } = doc;
  return { path, key, version, sha256, size_bytes, rows };
}
