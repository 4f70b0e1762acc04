import type { Effects } from "../effects.js";
import type { RunId } from "../model/ids.js";
import { beatOf, runKeys } from "../model/layout.js";
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
