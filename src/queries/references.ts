import type { Effects } from "../effects.js";
import { purgedOf } from "../model/act.js";
import { RunId } from "../model/ids.js";
import { committedRun, EVERYTHING, keyOf } from "../model/layout.js";
import type { StoredDoc } from "../model/records.js";
import type { Committed } from "../model/run.js";
import { readCommitted } from "./committed.js";
import { readLedger } from "./ledger.js";

type Needs = Pick<Effects, "store">;

/** An object that a commit leads to, and what the manifest says of it. */
export interface KeptObject {
  readonly path: string;
  readonly doc: StoredDoc;
  /** ISO instant, inclusive: until when the run itself must keep it. */
  readonly until: string;
  readonly rows: number | null;
  /** Whether rows of data are in it; the others are the run's words: documents, SQL, journal. */
  readonly data: boolean;
}

/**
 * Every object that a run's commit leads to, the commit last. An artefact and its twin are kept as
 * long as the job says, all else as long as the longest of them (I014).
 */
export function objectsOf(run: Committed): KeptObject[] {
  const until = longestOf(run);
  const data = dataOf(run);
  const { committed, commit, receipts } = run;
  const documents = [
    { path: "receipts.json", doc: commit.receipts },
    { path: "manifest.json", doc: commit.manifest },
    { path: "committed.json", doc: committed },
  ];
  return [
    ...receipts.receipts.map((doc) => {
      const known = data.get(doc.path) ?? data.get(doc.key);
      return {
        path: doc.path,
        doc,
        until: known?.until ?? until,
        rows: known?.rows ?? null,
        data: known !== undefined,
      };
    }),
    ...documents.map((d) => ({ ...d, until, rows: null, data: false })),
  ];
}

/** The objects of a run but for those that its ledger says were purged. @throws DAMAGED, UNKNOWN */
export async function keptObjects(run: Committed, fx: Needs): Promise<KeptObject[]> {
  const purged = purgedOf(await readLedger(run, fx));
  return objectsOf(run).filter(({ path }) => !purged.has(path));
}

/** The longest time that an artefact of the run is kept. */
export function longestOf({ manifest }: Committed): string {
  const untils = manifest.artefacts.map((a) => a.retain_until);
  return untils.sort().at(-1) ?? manifest.finished_at;
}

interface Data {
  readonly until: string;
  readonly rows: number | null;
}

/** What holds rows, by path, inputs by key. */
function dataOf(run: Committed): Map<string, Data> {
  const until = longestOf(run);
  const found = new Map<string, Data>();
  for (const { files, rows, rejects, rejected } of run.manifest.inputs) {
    // The rows of one of several files are not on record.
    for (const { key } of files)
      if (key !== null) found.set(key, { until, rows: files.length === 1 ? rows : null });
    if (rejects !== null) found.set(rejects.path, { until, rows: rejected });
  }
  for (const { path, twin, rows, retain_until } of run.manifest.artefacts)
    for (const file of twin === null ? [path] : [path, twin.path])
      found.set(file, { until: retain_until, rows });
  return found;
}

/**
 * What of earlier runs this one stands on: the artefacts that it took, with the documents that
 * prove them. A run that was lost or purged since is not this run's trouble.
 */
export async function standsOn(run: Committed, fx: Needs): Promise<StoredDoc[]> {
  const found: StoredDoc[] = [];
  for (const { run_id, key } of run.manifest.previous) {
    const before = run_id === null ? null : await readCommitted(run_id, fx);
    if (before === null) continue;
    const { committed, commit } = before;
    const taken = (await keptObjects(before, fx)).filter(({ doc }) => doc.key === key);
    found.push(...taken.map(({ doc }) => doc), commit.receipts, commit.manifest, committed);
  }
  return found;
}

/** Keys that a run refers to: the artefacts that it took, and its inputs by their content. */
export function refersTo(run: Committed): Set<string> {
  const previous = run.manifest.previous.flatMap(({ key }) => key ?? []);
  const inputs = run.manifest.inputs.flatMap((i) => i.files.flatMap(({ key }) => key ?? []));
  return new Set([...previous, ...inputs].map(keyOf));
}

/** Every committed run of the store, whatever its job. @throws UNKNOWN, DAMAGED */
export async function everyRun(fx: Needs): Promise<Committed[]> {
  const keys = await fx.store.list(EVERYTHING);
  const runs: Committed[] = [];
  for (const id of keys.flatMap((k) => RunId.safeParse(committedRun(k)).data ?? [])) {
    const run = await readCommitted(id, fx);
    if (run !== null) runs.push(run);
  }
  return runs;
}
