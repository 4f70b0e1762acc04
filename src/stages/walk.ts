import { share } from "../acts/share.js";
import type { Effects } from "../effects.js";
import { EXIT, isTieout, TieoutError } from "../model/errors.js";
import { runFolder } from "../model/layout.js";
import type { Sharing } from "../model/report.js";
import type { Claimed, Committed, Held } from "../model/run.js";
import { lastClaim } from "../queries/claims.js";
import { readCommitted } from "../queries/committed.js";
import { claim } from "./claim.js";
import { close } from "./close.js";
import { compute } from "./compute.js";
import { extract } from "./extract.js";
import { shipFailure } from "./failed.js";
import { holdLease, type Lease } from "./lease.js";
import { pin } from "./pin.js";
import { recall } from "./recall.js";
import { advance, type State } from "./stage.js";
import { teardown } from "./teardown.js";
import { assertUnchanged } from "./unchanged.js";
import { verify } from "./verify.js";

/** What became of a run that is committed. A run that is not throws. */
export interface Outcome {
  readonly run: Committed;
  /** The process's exit code: the run's own, or 10 while a share or its teardown is pending. */
  readonly exit: number;
  /** True when an earlier process had committed it, and this one only repeats its result. */
  readonly repeated: boolean;
  /** Why the folder is still there, or null when it is gone. */
  readonly pending: TieoutError | null;
  /** People's copies of the artefacts; one that is pending never undoes the run. */
  readonly shares: readonly Sharing[];
}

/**
 * One run from its job to its torn-down folder. May be called again after any end of an earlier
 * call, in any process: a committed run is repeated, an unfinished one is a new attempt that adopts
 * what the earlier ones sealed.
 *
 * @throws the error of the stage that failed, once the store has said that the run is not committed
 * (its failure was shipped, its lease released); UNKNOWN when the store cannot say (nothing was
 * cleaned); INPUTS_CHANGED when it is committed with another job or other inputs; DAMAGED when it
 * is committed and the store no longer proves it.
 */
export async function walk(held: State<"held">, given: Effects): Promise<Outcome> {
  const of_run = naming(given, { run_id: held.run_id });
  if ((await readCommitted(held.run_id, of_run)) !== null) return repeat(held, of_run);
  let attempt: Attempt;
  try {
    attempt = await begin(held, of_run);
  } catch (e) {
    if ((await askStore(held, e, of_run)) !== null) return repeat(held, of_run);
    throw e;
  }
  const { claimed, lease } = attempt;
  const fx = naming(of_run, { attempt: claimed.attempt });
  const stop = fx.clock.every(Math.ceil(fx.ttl_ms / 4), lease.beat);
  const at = { stage: "pin" };
  try {
    const committed = await work(claimed, lease, at, fx);
    return await tearDown(committed, false, fx);
  } catch (e) {
    return await settle({ held, claimed, lease, stage: at.stage }, e, fx);
  } finally {
    stop();
  }
}

interface Attempt {
  readonly claimed: State<"claimed">;
  readonly lease: Lease;
}

/** Claims the run. A claim whose attempt did not begin would lock the run out until it expires. */
async function begin(held: State<"held">, fx: Effects): Promise<Attempt> {
  try {
    const claimed = await advance(claim, held, fx);
    return { claimed, lease: holdLease(await ownClaim(claimed, fx), fx) };
  } catch (e) {
    const release = async (): Promise<void> => {
      const last = await lastClaim(held.run_id, fx);
      if (last?.owner === fx.owner) await holdLease(last, fx).release();
    };
    await quietly("claim not released", release, fx);
    throw e;
  }
}

/**
 * The stages between claim and commit; before each, the lease is still ours and nobody asked to
 * stop.
 */
async function work(
  claimed: State<"claimed">,
  lease: Lease,
  at: { stage: string },
  fx: Effects,
): Promise<State<"committed">> {
  const enter = (stage: string): void => {
    at.stage = stage;
    assertMayGoOn(claimed, lease, fx);
    fx.log.info("stage", { stage });
  };
  enter("pin");
  const pinned = await advance(pin, claimed, fx);
  enter("compute");
  const computed = await advance(compute, pinned, fx);
  enter("verify");
  const verified = await advance(verify, computed, fx);
  enter("close");
  const closed = await advance(close, verified, fx);
  enter("extract");
  const committed = await advance(extract, closed, fx);
  fx.log.info("committed", { artefacts: committed.manifest.artefacts.length });
  return committed;
}

/** Every event says which run and attempt it is of. */
function naming(fx: Effects, always: Readonly<Record<string, string | number>>): Effects {
  return { ...fx, log: { info: (event, at) => fx.log.info(event, { ...always, ...at }) } };
}

/**
 * A run that is committed already: the store is asked for everything that was kept, and a pending
 * teardown is finished, whatever today's exports are; the same inputs give the same result.
 */
async function repeat(held: State<"held">, fx: Effects): Promise<Outcome> {
  const committed = await advance(recall, held, fx);
  const outcome = await tearDown(committed, true, fx);
  await assertUnchanged(held, committed, fx);
  return outcome;
}

async function tearDown(
  committed: State<"committed">,
  repeated: boolean,
  fx: Effects,
): Promise<Outcome> {
  const shares = await share(committed, fx);
  const late = shares.some((s) => s.state === "pending");
  const exit = late ? EXIT.PENDING : committed.manifest.exit;
  const outcome = { run: committed, repeated, exit, pending: null, shares };
  const here = await fx.folder.list(runFolder(fx.root, committed.run_id)).catch(() => ["unknown"]);
  try {
    const { proven } = await advance(teardown, committed, fx);
    fx.log.info(repeated ? "repeated" : "torn down", { objects: proven });
    return outcome;
  } catch (e) {
    if (!isTieout(e) || e.code === "DAMAGED") throw e;
    if (repeated && here.length === 0) throw e; // nothing is pending: only the proof was to be made
    fx.log.info("teardown pending", { code: e.code });
    return { ...outcome, exit: EXIT.PENDING, pending: e };
  }
}

/**
 * After any failure the store is asked what is true: our commit, another's, or none. What is told
 * is what it said; when it says nothing, nothing is cleaned and the answer is UNKNOWN.
 */
async function settle(ended: Ended, error: unknown, fx: Effects): Promise<Outcome> {
  const { held, claimed, lease, stage } = ended;
  const run = await askStore(held, error, fx);
  if (run !== null && run.commit.attempt !== claimed.attempt) return repeat(held, fx);
  if (run !== null) {
    if (isTieout(error, "DAMAGED")) throw error;
    return tearDown(await advance(recall, held, fx), false, fx);
  }
  // Also of one who was asked to stop: the commit itself may still be under way.
  if (isTieout(error, "UNKNOWN")) throw error;
  const told = fx.signal.aborted ? interrupted(claimed) : error;
  const failure = isTieout(told) ? told : bug(claimed, told);
  await quietly("failure not shipped", () => shipFailure(claimed, stage, failure, fx), fx);
  if (!lease.lost()) await quietly("claim not released", lease.release, fx);
  throw told;
}

/** An attempt that ended early: what it was, and where. */
interface Ended extends Attempt {
  readonly held: State<"held">;
  readonly stage: string;
}

async function askStore(held: Held, error: unknown, fx: Effects): Promise<Committed | null> {
  try {
    return await readCommitted(held.run_id, fx);
  } catch (e) {
    if (!isTieout(e) || e.code === "DAMAGED") throw e;
    throw new TieoutError("UNKNOWN", {
      subject: held.run_id,
      cause: "the store does not say whether the run is committed, after the attempt ended early",
      remedy: "run the id again when the store answers; nothing was cleaned",
      because: error,
    });
  }
}

/** The failure that is being told must not be replaced by one of telling it. */
async function quietly(event: string, work: () => Promise<void>, fx: Effects): Promise<void> {
  try {
    await work();
  } catch (e) {
    fx.log.info(event, isTieout(e) ? { code: e.code, subject: e.subject } : { code: "BUG" });
  }
}

/** What is shipped of a bug of ours: where it was met; its stack is for whoever ran the process. */
function bug(claimed: Claimed, because: unknown): TieoutError {
  return new TieoutError("BUG", {
    subject: claimed.run_id,
    cause: `attempt ${claimed.attempt} met a fault of the program`,
    remedy: "report it with the stack that the process printed, then run the id again",
    because,
  });
}

function assertMayGoOn(claimed: State<"claimed">, lease: Lease, fx: Effects): void {
  if (fx.signal.aborted) throw interrupted(claimed);
  if (!lease.lost()) return;
  throw new TieoutError("LEASE_LOST", {
    subject: claimed.run_id,
    cause: `the claim of attempt ${claimed.attempt} ran out or was passed by a later attempt`,
    remedy: "run the id again to see what is committed, or to start the next attempt",
    at: { attempt: claimed.attempt },
  });
}

function interrupted(claimed: Claimed): TieoutError {
  return new TieoutError("INTERRUPTED", {
    subject: claimed.run_id,
    cause: "the process was asked to stop before the run was committed",
    remedy: "run the id again: it goes on from the steps that are sealed",
  });
}

async function ownClaim(claimed: State<"claimed">, fx: Effects) {
  const last = await lastClaim(claimed.run_id, fx);
  if (last?.attempt === claimed.attempt) return last;
  throw new TieoutError("LEASE_LOST", {
    subject: claimed.run_id,
    cause: `attempt ${claimed.attempt} was passed as it was being made`,
    remedy: "run the id again",
  });
}
