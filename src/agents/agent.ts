import type { Engine } from "../engines/engine.js";
import type { ComputeAnswer, ComputeInput, FinishAnswer } from "../model/compute.js";
import type { RelationRef, RunId } from "../model/ids.js";
import type { StepSpec } from "../model/job.js";
import type { RelationSummary } from "../model/read.js";
import type { Relation } from "../model/relation.js";

/** A step that is being worked on: what the operations of kind read and compute act on. */
export interface StepDesk {
  readonly run_id: RunId;
  readonly step: StepSpec;
  /**
   * All that may be read now: inputs, previous, earlier steps, this step's last draft and scratch.
   */
  readonly relations: () => readonly Relation[];
  readonly kindOf: (relation: RelationRef) => RelationSummary["kind"];
  /** The run's own engine, for questions of ours: the bounded reads. */
  readonly engine: Pick<Engine, "ask" | "dialect">;
  /** @throws REFUSED for a name that was not declared, and what the engine throws */
  readonly compute: (input: ComputeInput) => Promise<ComputeAnswer>;
  /** Checks the last draft; the step is over when no finding is an error. */
  readonly finish: () => Promise<FinishAnswer>;
  readonly finished: () => boolean;
}

/** Whoever does the agent steps of a run: a model's loop, an MCP session, or a script. */
export interface Agent {
  /** Works until `finish` was accepted; returning without it fails the step, NOT_FINISHED. */
  readonly work: (desk: StepDesk) => Promise<void>;
}
