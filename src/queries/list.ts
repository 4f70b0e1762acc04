import type { Effects } from "../effects.js";
import { heldOf, purgedOf } from "../model/act.js";
import { type JobName, partsOf, RunId } from "../model/ids.js";
import { committedRun, EVERYTHING, jobKeys } from "../model/layout.js";
import type { ListAnswer } from "../model/report.js";
import { type Outdated, outdatedRuns } from "./chain.js";
import { readCommitted } from "./committed.js";
import { readLedger } from "./ledger.js";

/**
 * Committed runs, the latest as-of date first, at most `limit`; all of them counted. @throws
 * UNKNOWN
 */
export async function list(
  job: JobName | null,
  limit: number,
  fx: Pick<Effects, "store">,
): Promise<ListAnswer> {
  const keys = await fx.store.list(job === null ? EVERYTHING : jobKeys(job));
  const ids = keys.flatMap((k) => RunId.safeParse(committedRun(k)).data ?? []);
  const sorted = ids.sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1));
  const shown = sorted.slice(0, limit);
  const outdated: Outdated[] = [];
  for (const name of new Set(shown.map((run) => partsOf(run).job)))
    outdated.push(...(await outdatedRuns(name, null, fx)));
  const runs: ListAnswer["runs"] = [];
  for (const run_id of shown) {
    const why = outdated.find((o) => o.run_id === run_id)?.why ?? null;
    runs.push({ ...(await entry(run_id, ids, fx)), outdated: why });
  }
  return { runs, runs_total: ids.length };
}

async function entry(
  run_id: RunId,
  all: readonly RunId[],
  fx: Pick<Effects, "store">,
): Promise<Omit<ListAnswer["runs"][number], "outdated">> {
  const run = await readCommitted(run_id, fx);
  if (run === null) throw new Error(`${run_id} was listed as committed and is not`);
  const { manifest, commit } = run;
  const acts = await readLedger(run, fx);
  const { job, as_of, revision } = partsOf(run_id);
  const later = all
    .map((id) => ({ id, ...partsOf(id) }))
    .filter((r) => r.job === job && r.as_of === as_of && r.revision > revision)
    .sort((a, b) => b.revision - a.revision);
  return {
    run_id,
    job,
    as_of,
    attempt: commit.attempt,
    outcome: manifest.outcome,
    finished_at: manifest.finished_at,
    artefacts: manifest.artefacts.length,
    held: heldOf(acts) !== null,
    purged: purgedOf(acts).size,
    superseded_by: later[0]?.id ?? null,
  };
}

/** Orders by date, then job, then revision: run ids alone would order by job first. */
function sortKey(run: RunId): string {
  const { job, as_of, revision } = partsOf(run);
  return `${as_of} ${job} ${String(revision).padStart(6, "0")}`;
}
