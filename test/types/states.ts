/** What must compile, and what must not: each `@ts-expect-error` is an error that has to be there. */
import type { Effects } from "../../src/effects.js";
import type { RunId } from "../../src/model/ids.js";
import type { Claimed, Committed, Held } from "../../src/model/run.js";
import { claim } from "../../src/stages/claim.js";
import { close } from "../../src/stages/close.js";
import { compute } from "../../src/stages/compute.js";
import { extract } from "../../src/stages/extract.js";
import { pin } from "../../src/stages/pin.js";
import { recall } from "../../src/stages/recall.js";
import { advance, hold, type Stage, type State } from "../../src/stages/stage.js";
import { teardown } from "../../src/stages/teardown.js";
import { verify } from "../../src/stages/verify.js";

export async function inOrder(held: Held, fx: Effects): Promise<State<"torn_down">> {
  const claimed = await advance(claim, hold(held), fx);
  const computed = await advance(compute, await advance(pin, claimed, fx), fx);
  const closed = await advance(close, await advance(verify, computed, fx), fx);
  return advance(teardown, await advance(extract, closed, fx), fx);
}

export async function recalled(held: Held, fx: Effects): Promise<State<"torn_down">> {
  return advance(teardown, await advance(recall, hold(held), fx), fx);
}

export async function outOfOrder(
  held: State<"held">,
  pinned: State<"pinned">,
  computed: State<"computed">,
  verified: State<"verified">,
  closed: State<"closed">,
  fx: Effects,
): Promise<void> {
  // @ts-expect-error nothing is pinned before the run is claimed
  await advance(pin, held, fx);
  // @ts-expect-error nothing is verified before it was computed
  await advance(verify, pinned, fx);
  // @ts-expect-error nothing is closed before it was verified
  await advance(close, computed, fx);
  // @ts-expect-error nothing is extracted before it was closed
  await advance(extract, verified, fx);
  // @ts-expect-error nothing is torn down before it was committed
  await advance(teardown, closed, fx);
  // @ts-expect-error a run is not claimed again in the middle
  await advance(claim, computed, fx);
}

export function forged(claimed: Claimed, committed: Committed): void {
  // @ts-expect-error the right fields are not enough: only advance proves a state
  const _state: State<"claimed"> = claimed;
  // @ts-expect-error nor are they with a brand of another's making
  const _branded: State<"claimed"> = { ...claimed, proven: "claimed" };
  // @ts-expect-error what is committed was proven to be so
  const _committed: State<"committed"> = committed;
}

export async function written(stage: Stage<"claimed", unknown, "pinned">): Promise<void> {
  // @ts-expect-error a stage's functions are exact in what they take: it cannot stand in for a later one
  const _later: Stage<"verified", unknown, "pinned"> = stage;
  // @ts-expect-error a state is read, never changed
  (await ({} as Promise<State<"claimed">>)).run_id = "x" as RunId;
}
