import type { Effects } from "../effects.js";
import { partsOf, type RunId } from "../model/ids.js";
import { runFolder, runKeys } from "../model/layout.js";
import { type Claim, Failure } from "../model/records.js";
import type { StatusAnswer } from "../model/report.js";
import { unknownRun } from "./catalogue.js";
import { liveAttempt } from "./catalogue-live.js";
import { whyOutdated } from "./chain.js";
import { lastClaim, uncommittedManifests } from "./claims.js";
import { committedRuns, readCommitted } from "./committed.js";
import { keptNow } from "./kept.js";
import { sharingOf } from "./shared.js";

/**
 * Where a run id stands: what the store says, and what is left of it on this machine.
 * @throws UNKNOWN_RUN with the nearest run, when nobody ever claimed it
 */
export async function status(run: RunId, fx: Effects): Promise<StatusAnswer> {
  const committed = await readCommitted(run, fx);
  const claim = await lastClaim(run, fx);
  const { job, as_of } = partsOf(run);
  const runs = await committedRuns(job, fx);
  if (committed === null && claim === null) throw unknownRun(run, runs);
  const latest = runs.filter((r) => partsOf(r).as_of === as_of).at(-1);
  const live = await liveAttempt(run, fx);
  const failure =
    committed === null && claim !== null ? await failureOf(run, claim.attempt, fx) : null;
  const state =
    committed === null && claim !== null ? stateOf(claim, failure, fx) : ("committed" as const);
  const expected = committed?.commit.attempt ?? (state === "running" ? claim?.attempt : null);
  return {
    run_id: run,
    state,
    attempt: committed?.commit.attempt ?? claim?.attempt ?? null,
    owner: claim?.owner ?? null,
    until: claim?.until ?? null,
    stage: live?.lines.at(-1)?.event ?? null,
    local_folder: (await fx.folder.list(runFolder(fx.root, run))).length > 0,
    failure,
    outcome: committed?.manifest.outcome ?? null,
    finished_at: committed?.manifest.finished_at ?? null,
    outdated: committed === null ? null : await whyOutdated(run, fx),
    superseded_by: committed === null || latest === run ? null : (latest ?? null),
    shares: committed === null ? [] : await sharingOf(committed, fx),
    kept: committed === null ? null : await keptNow(committed, fx),
    uncommitted: await uncommittedManifests(run, expected ?? null, fx),
  };
}

function stateOf(
  claim: Claim,
  failure: StatusAnswer["failure"],
  fx: Pick<Effects, "clock">,
): StatusAnswer["state"] {
  if (failure !== null) return "failed";
  if (claim.released) return "abandoned";
  return Date.parse(claim.until) > fx.clock.now() ? "running" : "abandoned";
}

async function failureOf(
  run: RunId,
  attempt: number,
  fx: Pick<Effects, "store">,
): Promise<StatusAnswer["failure"]> {
  const stored = await fx.store.head(runKeys(run).failed(attempt, "failure.json"));
  if (stored === null) return null;
  const { stage, error } = Failure.parse(JSON.parse(await fx.store.text(stored.key)));
  return { stage, code: error.code, message: error.message, remedy: error.remedy };
}
