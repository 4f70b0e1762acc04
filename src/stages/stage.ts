import type { z } from "zod";
import type { Effects } from "../effects.js";
import type { Path } from "../model/ids.js";
import type { Held, StateName, States } from "../model/run.js";
import { append } from "./journal.js";

declare const proven: unique symbol; // not exported: outside this file nobody can brand a state

/** A state that `advance` proved. */
export type State<N extends StateName> = States[N] & { readonly [proven]: N };

export type StageName =
  | "claim"
  | "pin"
  | "compute"
  | "verify"
  | "close"
  | "extract"
  | "recall"
  | "teardown";

/** One stage of a run: `run` does and may die anywhere, `prove` believes only what it can check. */
export interface Stage<A extends StateName, R, B extends StateName> {
  readonly name: StageName;
  readonly record: z.ZodType<R>;
  /** Leaves what it made; its record is what a later process needs to prove it. */
  readonly run: (from: State<A>, fx: Effects) => Promise<R>;
  /**
   * The fields of the next state. @throws what is not true of the record, or UNKNOWN when nobody
   * can say
   */
  readonly prove: (from: State<A>, record: R, fx: Effects) => Promise<States[B]>;
  /** Which journal takes the record; null for a stage that none can (recall, teardown). */
  readonly journal: (from: State<A>, record: R, fx: Effects) => Path | null;
}

/** run, record, prove; the only way from one state to the next, and the one cast of the project. */
export async function advance<A extends StateName, R, B extends StateName>(
  stage: Stage<A, R, B>,
  from: State<A>,
  fx: Effects,
): Promise<State<B>> {
  const record = stage.record.parse(await stage.run(from, fx));
  const journal = stage.journal(from, record, fx);
  if (journal !== null) await append(journal, stage.name, record, fx);
  return (await stage.prove(from, record, fx)) as State<B>;
}

/** A parsed job, its SQL, ids and date: before any IO on the run. */
export function hold(held: Held): State<"held"> {
  return held as State<"held">;
}
