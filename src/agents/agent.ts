import type { RunId } from "../model/ids.js";
import type { StepSpec } from "../model/job.js";

/** What a live run lets whoever does an agent step ask for: the operations of kind read and compute, by name. */
export interface StepDesk {
  readonly run_id: RunId;
  readonly step: StepSpec;
  /** Input as the operation's schema says; throws the operation's errors. */
  readonly ask: (operation: string, input: unknown) => Promise<unknown>;
  /** Set once `finish` was accepted: the step is over and further asks are refused. */
  readonly finished: () => boolean;
}

/** Whoever does the agent steps of a run: a model's loop, an MCP session, or a script. */
export interface Agent {
  /** Works until `finish` was accepted, or returns or throws without it (then the step fails, NOT_FINISHED). */
  readonly work: (desk: StepDesk) => Promise<void>;
}
