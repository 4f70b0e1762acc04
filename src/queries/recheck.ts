import type { Effects } from "../effects.js";
import { purgedOf } from "../model/act.js";
import { isTieout } from "../model/errors.js";
import { type Path, partsOf, type RunId } from "../model/ids.js";
import { numbered, recheckFolder, runKeys } from "../model/layout.js";
import type { StoredDoc } from "../model/records.js";
import type { Breach, RecheckAnswer } from "../model/report.js";
import type { Committed } from "../model/run.js";
import { unknownRun } from "./catalogue.js";
import { committedRuns, readCommitted, storedOf } from "./committed.js";
import { readLedger } from "./ledger.js";
import { recompute } from "./recompute.js";
import { breachesOfJournal, breachesOfManifest } from "./soundness.js";

/**
 * Believes nothing that a run says of itself: reads and hashes every object of it in the store,
 * compares its documents with each other, runs the checks again and computes the figures again. All
 * that is found wrong is reported at once, by the number of the invariant. The store is only read.
 * @throws UNKNOWN_RUN, UNKNOWN when the store does not answer; TIMEOUT, MEMORY, DISK, DISK_FULL,
 * INTERRUPTED when this machine cannot compute it again
 */
export async function recheck(run_id: RunId, fx: Effects): Promise<RecheckAnswer> {
  const opened = await openRun(run_id, fx);
  if ("breach" in opened) return report(run_id, [opened.breach], NOTHING, []);
  const { run } = opened;
  const ledger = await ledgerOf(run, fx);
  const extra = await notNamed(run, fx);
  const dir = recheckFolder(fx.root, run_id);
  await fx.folder.make(fx.root);
  await fx.folder.remove(dir);
  await fx.folder.make(dir);
  try {
    const objects = await fetchAll(run, dir, ledger.purged, fx);
    const breaches = [...ledger.breaches, ...objects.breaches, ...breachesOfManifest(run)];
    const journal = objects.paths.get("records/journal.jsonl");
    if (journal !== undefined) {
      breaches.push(...breachesOfJournal(await fx.folder.text(journal), run.manifest));
    }
    // Without its job, whose loss is among the breaches, nothing can be computed again.
    if (!objects.paths.has("records/job.json")) {
      return report(run_id, breaches, objects, extra);
    }
    const again = await recompute(run, objects.paths, (n) => numbered(dir, n, "check"), fx);
    const { not_made_again, checks_not_run } = again.counts;
    return {
      ...report(run_id, [...breaches, ...again.breaches], objects, extra),
      ...again.counts,
      complete: not_made_again.length + checks_not_run.length === 0,
    };
  } finally {
    await fx.folder.remove(dir);
  }
}

/** The run's documents; what is wrong with them is a finding, not a failure to look. */
async function openRun(
  run_id: RunId,
  fx: Effects,
): Promise<{ readonly run: Committed } | { readonly breach: Breach }> {
  try {
    const run = await readCommitted(run_id, fx);
    if (run !== null) return { run };
  } catch (e) {
    if (!isTieout(e, "DAMAGED")) throw e;
    return { breach: { invariant: "I004", subject: e.subject, message: e.message } };
  }
  throw unknownRun(run_id, await committedRuns(partsOf(run_id).job, fx));
}

interface Ledgered {
  readonly breaches: Breach[];
  /** Paths whose loss the ledger explains. */
  readonly purged: string[];
}

/** A damaged ledger explains no loss. */
async function ledgerOf(run: Committed, fx: Effects): Promise<Ledgered> {
  try {
    return { breaches: [], purged: [...purgedOf(await readLedger(run, fx)).keys()] };
  } catch (e) {
    if (!isTieout(e, "DAMAGED")) throw e;
    const breach = { invariant: "I017", subject: e.subject, message: e.message };
    return { breaches: [breach], purged: [] };
  }
}

interface Fetched extends Counted {
  readonly breaches: Breach[];
  /** By the manifest's path: the object on this disk, whole. */
  readonly paths: Map<string, Path>;
}

interface Counted {
  readonly objects: number;
  readonly size_bytes: number;
  readonly purged: string[];
}
const NOTHING: Counted = { objects: 0, size_bytes: 0, purged: [] };

async function fetchAll(
  run: Committed,
  dir: Path,
  purged: string[],
  fx: Effects,
): Promise<Fetched> {
  const breaches: Breach[] = [];
  const paths = new Map<string, Path>();
  let size_bytes = 0;
  const docs: (StoredDoc & { path: string })[] = [
    { ...run.commit.manifest, path: "manifest.json" },
    { ...run.commit.receipts, path: "receipts.json" },
    ...run.receipts.receipts.filter(({ path }) => !purged.includes(path)),
  ];
  for (const [n, doc] of docs.entries()) {
    fx.progress.stage("recheck", doc.path, n, docs.length, { size_bytes });
    const to = numbered(dir, n, "object");
    const wrong = await fetchOne(doc, to, fx);
    if (wrong === null) {
      paths.set(doc.path, to);
      size_bytes += doc.size_bytes;
    } else breaches.push(wrong);
  }
  return { breaches, paths, objects: docs.length, size_bytes, purged };
}

/**
 * Null when the object is there, whole. Lost is I005, since it was listed as kept; changed is I003.
 */
async function fetchOne(doc: StoredDoc, to: Path, fx: Effects): Promise<Breach | null> {
  const breach = (invariant: string, message: string) => ({ invariant, subject: doc.key, message });
  const head = await fx.store.head(storedOf(doc).key, doc.version);
  if (head === null) {
    return breach("I005", "the object is not in the store, at the version of its receipt");
  }
  try {
    const { sha256 } = await fx.store.fetch(storedOf(doc), to);
    if (sha256 === doc.sha256) return null;
    return breach("I003", "its bytes are not those of its receipt");
  } catch (e) {
    if (isTieout(e, "DAMAGED") || isTieout(e, "STORE")) return breach("I003", e.message);
    throw e;
  }
}

/**
 * Keys below the run's prefix that are neither of the commit nor where claims, acts and failures
 * lie. They change nothing of the run: another attempt may have left them.
 */
async function notNamed(run: Committed, fx: Pick<Effects, "store">): Promise<string[]> {
  const keys = runKeys(run.run_id);
  const { manifest, receipts } = run.commit;
  const docs = [manifest, receipts, ...run.receipts.receipts];
  const named = new Set<string>([keys.committed, ...docs.map((d) => d.key)]);
  const places = [keys.claims, keys.ledger, `${keys.run}failed/`];
  const all = await fx.store.list(keys.run);
  return all.filter((key) => !named.has(key) && !places.some((p) => key.startsWith(p)));
}

/** What was found so far; until the run is computed again, it is not complete. */
function report(
  run_id: RunId,
  breaches: Breach[],
  { objects, size_bytes, purged }: Counted,
  not_named: string[],
): RecheckAnswer {
  return {
    run_id,
    sound: breaches.length === 0,
    complete: false,
    breaches,
    not_named,
    purged,
    objects,
    size_bytes,
    files_made_again: 0,
    not_made_again: [],
    checks_run: 0,
    checks_not_run: [],
    figures_computed: 0,
  };
}
