import type { Effects } from "../effects.js";
import type { RunId } from "../model/ids.js";
import { beatOf, manifestOf, runKeys } from "../model/layout.js";
import { Claim } from "../model/records.js";

/** The last beat of the highest attempt, or null when the run was never claimed. @throws UNKNOWN */
export async function lastClaim(run: RunId, fx: Pick<Effects, "store">): Promise<Claim | null> {
  const keys = await fx.store.list(runKeys(run).claims);
  const beats = keys.flatMap((key) => {
    const at = beatOf(key);
    return at === null ? [] : [{ key, ...at }];
  });
  beats.sort((a, b) => b.attempt - a.attempt || b.beat - a.beat);
  const last = beats[0];
  return last === undefined ? null : Claim.parse(JSON.parse(await fx.store.text(last.key)));
}

/**
 * Attempts that left a whole manifest in the store which no commit names, ascending. Each ended
 * just before its commit or lost the race for it; or the run was committed and its commit is lost.
 * @param committed - the attempt that is committed, or null
 * @throws UNKNOWN
 */
export async function uncommittedManifests(
  run: RunId,
  committed: number | null,
  fx: Pick<Effects, "store">,
): Promise<number[]> {
  const keys = await fx.store.list(runKeys(run).run);
  const whole = keys.flatMap((key) => manifestOf(key) ?? []);
  return whole.filter((attempt) => attempt !== committed).sort((a, b) => a - b);
}
