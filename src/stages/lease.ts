import type { Effects } from "../effects.js";
import { documentText, textBody } from "../model/canonical.js";
import { TieoutError } from "../model/errors.js";
import type { RunId } from "../model/ids.js";
import { beatOf, runKeys } from "../model/layout.js";
import type { Claim } from "../model/records.js";
import { lastClaim } from "../queries/claims.js";
import { createKnowing } from "./keep.js";

/**
 * The lease on a run id: claims are numbered creates in the store, `claims/a<n>/<beat>.json`.
 * Whoever makes beat 0 of a number has that attempt; later beats prolong it; a number may be passed
 * only when its last beat has run out or says released. One mechanism: nothing is ever overwritten
 * or deleted.
 */
export interface Lease {
  readonly claim: () => Claim;
  /**
   * Prolongs by one ttl. After a lost answer it may be called again. Sets `lost` when outnumbered.
   */
  readonly beat: () => Promise<void>;
  /** The last beat: others may take the next number at once. */
  readonly release: () => Promise<void>;
  /** True once a higher attempt exists or our own time ran out: this attempt must not commit. */
  readonly lost: () => boolean;
}

type Needs = Pick<Effects, "store" | "clock" | "owner" | "ttl_ms">;

/**
 * Takes the next attempt number of a run.
 * @param above - the highest attempt number known locally; the new one is greater than it
 * @throws CLAIMED_ELSEWHERE while another attempt's claim holds, UNKNOWN and STORE from the store
 */
export async function takeLease(run: RunId, above: number, fx: Needs): Promise<Claim> {
  const last = await lastClaim(run, fx);
  if (last !== null && !last.released && Date.parse(last.until) > fx.clock.now())
    throw claimed(last);
  const attempt = Math.max(last?.attempt ?? 0, above) + 1;
  const claim = nextClaim(run, attempt, 0, false, fx);
  if (await make(claim, fx)) return claim;
  throw claimed((await lastClaim(run, fx)) ?? claim);
}

/**
 * Keeps a claim that this process made; a beat and a release that meet come one after the other.
 */
export function holdLease(first: Claim, fx: Needs): Lease {
  let current = first;
  let outnumbered = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  const step = async (released: boolean): Promise<void> => {
    if (current.released) return;
    const claim = nextClaim(first.run_id, first.attempt, current.beat + 1, released, fx);
    if (await make(claim, fx)) current = claim;
    else outnumbered = true;
  };
  const beat = async (): Promise<void> => {
    if (await isOutnumbered(first.run_id, first.attempt, fx)) outnumbered = true;
    else await step(false);
  };
  return {
    claim: () => current,
    beat: () => inTurn(beat),
    release: () => inTurn(() => step(true)),
    lost: () => outnumbered || current.released || Date.parse(current.until) <= fx.clock.now(),
  };
}

/** Whether a higher attempt was claimed: asked freshly, just before a commit. @throws UNKNOWN */
export async function isOutnumbered(
  run: RunId,
  attempt: number,
  fx: Pick<Effects, "store">,
): Promise<boolean> {
  const keys = await fx.store.list(runKeys(run).claims);
  return keys.some((k) => (beatOf(k)?.attempt ?? 0) > attempt);
}

function nextClaim(
  run_id: RunId,
  attempt: number,
  beat: number,
  released: boolean,
  fx: Needs,
): Claim {
  const now = fx.clock.now();
  return {
    schema: "tieout/claim/1",
    run_id,
    attempt,
    beat,
    owner: fx.owner,
    at: new Date(now).toISOString(),
    until: new Date(now + fx.ttl_ms).toISOString(),
    released,
  };
}

/** True when the beat was made by us: the text names its owner, so a lost answer can be told. */
async function make(claim: Claim, fx: Needs): Promise<boolean> {
  const key = runKeys(claim.run_id).claim(claim.attempt, claim.beat);
  const tags = { run_id: claim.run_id, kind: "claim" };
  return (await createKnowing(key, textBody(documentText(claim)), tags, fx)).mine;
}

function claimed(by: Claim): TieoutError {
  return new TieoutError("CLAIMED_ELSEWHERE", {
    subject: by.run_id,
    cause: `attempt ${by.attempt} of this run is held by ${by.owner} until ${by.until}`,
    remedy: `wait for it, or run again after ${by.until} if that process is gone`,
    at: { attempt: by.attempt },
  });
}
