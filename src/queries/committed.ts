import type { Effects } from "../effects.js";
import type { Sealed } from "../model/body.js";
import { sha256Of } from "../model/canonical.js";
import { TieoutError } from "../model/errors.js";
import { type AsOf, type JobName, type Path, partsOf, RunId } from "../model/ids.js";
import { LoadedJob } from "../model/job.js";
import { committedRun, jobKeys, keyOf, runKeys } from "../model/layout.js";
import { Manifest } from "../model/manifest.js";
import { Commit, Receipts, type StoredDoc } from "../model/records.js";
import type { Committed } from "../model/run.js";

type Needs = Pick<Effects, "store">;

/**
 * A committed run from the store alone: the commit names the manifest and the receipts by key,
 * version and SHA-256, and each is checked against it (I005, I011). Null when the run is not
 * committed.
 * @throws DAMAGED naming the document that is lost or changed, UNKNOWN when the store does not
 * answer
 */
export async function readCommitted(run: RunId, fx: Needs): Promise<Committed | null> {
  const stored = await fx.store.head(runKeys(run).committed);
  if (stored === null) return null;
  const text = await fx.store.text(stored.key, stored.version);
  const commit = document(Commit, stored.key, text);
  if (commit.run_id !== run) throw damaged(stored.key, "it commits another run");
  const manifest = document(Manifest, commit.manifest.key, await keptText(commit.manifest, fx));
  const receipts = document(Receipts, commit.receipts.key, await keptText(commit.receipts, fx));
  return { run_id: run, manifest, receipts, commit, committed: { ...stored } };
}

/** All committed runs of a job, oldest as-of date first, revisions in order. @throws UNKNOWN */
export async function committedRuns(job: JobName, fx: Needs): Promise<RunId[]> {
  const keys = await fx.store.list(jobKeys(job));
  const runs = keys.flatMap((k) => RunId.safeParse(committedRun(k)).data ?? []);
  return runs.sort((a, b) => {
    const [x, y] = [partsOf(a), partsOf(b)];
    return x.as_of < y.as_of ? -1 : x.as_of > y.as_of ? 1 : x.revision - y.revision;
  });
}

/** The highest committed revision of each as-of date; the others are superseded. Oldest first. */
export async function currentRuns(job: JobName, fx: Needs): Promise<RunId[]> {
  const byDate = new Map<AsOf, RunId>();
  for (const run of await committedRuns(job, fx)) byDate.set(partsOf(run).as_of, run);
  return [...byDate.values()];
}

/** The run whose artefacts a run carries forward: of the greatest strictly earlier as-of date. */
export async function previousRun(job: JobName, as_of: AsOf, fx: Needs): Promise<RunId | null> {
  const earlier = (await currentRuns(job, fx)).filter((run) => partsOf(run).as_of < as_of);
  return earlier.at(-1) ?? null;
}

/** The job as it was: kept in the run's records, never today's. @throws DAMAGED */
export async function keptJob(run: Committed, fx: Needs): Promise<LoadedJob> {
  const receipt = receiptOf(run, "records/job.json");
  return document(LoadedJob, receipt.key, await keptText(receipt, fx));
}

/**
 * A kept object into a file, sealed.
 * @throws DAMAGED when the store has lost it or its bytes are not the receipt's, UNKNOWN, DISK
 */
export async function fetchKept(doc: StoredDoc, to: Path, fx: Needs): Promise<Sealed> {
  await assertThere(doc, fx);
  return fx.store.fetch(storedOf(doc), to);
}

/** Where the store keeps a file of a committed run. @throws DAMAGED when no receipt names it */
export function receiptOf(run: Pick<Committed, "run_id" | "receipts">, path: string): StoredDoc {
  const receipt = run.receipts.receipts.find((r) => r.path === path);
  if (receipt) return receipt;
  throw damaged(`${run.run_id}/${path}`, "the receipts do not name this file");
}

/** A stored document as the store's functions want it. */
export function storedOf(doc: StoredDoc): {
  key: ReturnType<typeof keyOf>;
  version: string;
  sha256: StoredDoc["sha256"];
  size_bytes: number;
} {
  return { ...doc, key: keyOf(doc.key) };
}

/**
 * A kept document as text.
 * @throws DAMAGED when the store has lost it or its bytes are not the receipt's, UNKNOWN
 */
export async function keptText(doc: StoredDoc, fx: Needs): Promise<string> {
  await assertThere(doc, fx);
  const text = await fx.store.text(keyOf(doc.key), doc.version);
  if (sha256Of(text) === doc.sha256) return text;
  throw damaged(doc.key, "its bytes are not those that the commit names");
}

/** What a commit leads to and the store does not have is damage, not a store without such a key. */
async function assertThere(doc: StoredDoc, fx: Needs): Promise<void> {
  if ((await fx.store.head(keyOf(doc.key), doc.version)) !== null) return;
  throw damaged(doc.key, "the object that the commit names is not in the store");
}

function document<T>(schema: { parse: (v: unknown) => T }, key: string, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (e) {
    throw damaged(key, "it is not a document of its kind", e);
  }
}

function damaged(subject: string, cause: string, because?: unknown): TieoutError {
  return new TieoutError("DAMAGED", {
    subject,
    cause,
    remedy: "restore the object from a backup of the store; nothing was changed",
    because,
  });
}
