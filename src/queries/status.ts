import type { Effects } from "../effects.js";
import type { RunId } from "../model/ids.js";
import { runFolder, runKeys } from "../model/layout.js";
import { type Claim, Failure } from "../model/records.js";
import type { StatusAnswer } from "../model/report.js";
import { liveAttempt } from "./catalogue-live.js";
import { lastClaim } from "./claims.js";
import { readCommitted } from "./committed.js";

/** Where a run id stands: what the store says, and what is left of it on this machine. */
export async function status(run: RunId, fx: Effects): Promise<StatusAnswer> {
  const committed = await readCommitted(run, fx);
  const claim = await lastClaim(run, fx);
  const live = await liveAttempt(run, fx);
  const failure =
    committed === null && claim !== null ? await failureOf(run, claim.attempt, fx) : null;
  return {
    run_id: run,
    state: committed !== null ? "committed" : stateOf(claim, failure, fx),
    attempt: committed?.commit.attempt ?? claim?.attempt ?? null,
    owner: claim?.owner ?? null,
    until: claim?.until ?? null,
    stage: live?.lines.at(-1)?.event ?? null,
    local_folder: (await fx.folder.list(runFolder(fx.root, run))).length > 0,
    failure,
    outcome: committed?.manifest.outcome ?? null,
    finished_at: committed?.manifest.finished_at ?? null,
  };
}

function stateOf(
  claim: Claim | null,
  failure: StatusAnswer["failure"],
  fx: Pick<Effects, "clock">,
): StatusAnswer["state"] {
  if (claim === null) return "unknown";
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
