import type { Effects } from "../effects.js";
import { documentText } from "../model/canonical.js";
import { isTieout, type TieoutError } from "../model/errors.js";
import { ChecksFailed } from "../model/finding.js";
import type { Path } from "../model/ids.js";
import { relativeTo, runKeys } from "../model/layout.js";
import type { Failure } from "../model/records.js";
import type { Claimed } from "../model/run.js";
import { keep } from "./keep.js";

/**
 * What is left of an attempt that failed: `failure.json`, the journal and the failing rows go to
 * the store under `failed/a<n>/`; never a manifest. The local folder stays, so that the next
 * attempt can adopt its sealed steps. What cannot be shipped is logged: the failure itself is told
 * in any case.
 */
export async function shipFailure(
  from: Claimed,
  stage: string,
  error: TieoutError,
  fx: Effects,
): Promise<void> {
  const { code, subject, message, remedy } = error;
  const failure: Failure = {
    schema: "tieout/failure/1",
    run_id: from.run_id,
    attempt: from.attempt,
    stage,
    at: new Date(fx.clock.now()).toISOString(),
    error: { code, subject, message, remedy },
    findings: error instanceof ChecksFailed ? [...error.findings] : [],
  };
  await fx.folder.write(from.layout.failure, documentText(failure));
  for (const path of [from.layout.failure, from.layout.journal, ...(await evidence(from, fx))]) {
    await ship(path, from, fx);
  }
}

/** What is left of a failure is kept for 30 days: long enough to find out why. */
const KEPT_MS = 30 * 86_400_000;

/** Failing rows and rejects that were sealed before the failure. */
async function evidence(from: Claimed, fx: Effects): Promise<Path[]> {
  const { layout } = from;
  const under = async (folder: string): Promise<Path[]> =>
    (await fx.folder.list(layout.at(folder))).map((name) => layout.at(`${folder}/${name}`));
  return [...(await under("records/checks")), ...(await under("records/rejects"))];
}

async function ship(path: Path, from: Claimed, fx: Effects): Promise<void> {
  const relative = relativeTo(from.layout, path);
  const tags = { owner: from.job.owner, job: from.job.job, run_id: from.run_id, kind: "failure" };
  const body = fx.folder.body(path, await fx.folder.hash(path));
  const key = runKeys(from.run_id).failed(from.attempt, relative);
  try {
    const stored = await keep(key, body, { ...tags, sha256: body.sha256 }, fx);
    const until = (await fx.store.now()) + KEPT_MS;
    await fx.store.retain(stored, new Date(until).toISOString());
  } catch (e) {
    if (!isTieout(e)) throw e;
    fx.log.info("failure not shipped", { file: relative, code: e.code });
  }
}
