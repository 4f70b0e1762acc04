import type { z } from "zod";
import type { StepDesk } from "../agents/agent.js";
import type { ResolvedConfig } from "../documents/config.js";
import type { Effects } from "../effects.js";
import type { DoctorAnswer } from "../model/capabilities.js";
import type { JobName } from "../model/ids.js";
import type { KeptExport, Source } from "../sources/source.js";

/** What an operation may reach. Built in `wire.ts`; a live step is there only inside a run. */
export interface Desk {
  /**
   * @param inputs - the folder of the exports, as the user gave it; the configured one otherwise
   * @throws CONFIG_INVALID
   */
  readonly effects: (inputs?: string) => Promise<Effects>;
  /** The folder of all jobs. @throws CONFIG_INVALID */
  readonly jobs: () => Source;
  /** The folder of a job. @throws CONFIG_INVALID */
  readonly job: (name: JobName) => Source;
  /** What a committed run was made from, as a source of exports. */
  readonly kept: (name: string, files: readonly KeptExport[]) => Source;
  readonly configuration: () => ResolvedConfig;
  /** Puts questions to the configured store, with requests that leave nothing. */
  readonly doctor: () => Promise<DoctorAnswer>;
  /** The step being worked on, for operations of kind `compute` and for reads inside a run. */
  readonly step: StepDesk | null;
}

/**
 * Something that can be asked for. The command line, the library and tools for agents are derived
 * from it: nothing about an operation is written twice.
 *
 * Kinds: `read` (bounded reads, safe for anybody), `compute` (inside a live run only), `run` (makes
 * or restates a run), `look` (reports on runs; people and auditors), `act` (does something with a
 * committed run).
 */
export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly kind: "read" | "compute" | "run" | "look" | "act";
  /** One sentence, for `--help` and tools. */
  readonly says: string;
  /** Strict: unknown keys are refused. */
  readonly input: I;
  readonly output: O;
  /** Inputs that the command line takes by position. */
  readonly positional: readonly string[];
  readonly run: (input: z.output<I>, desk: Desk) => Promise<z.output<O>>;
  /** The exit code that an answer means; 0 when absent. */
  readonly exit?: (output: z.output<O>) => number;
}

/** Keeps the types of one operation together while the table holds many. */
export function operation<I extends z.ZodObject, O extends z.ZodType>(
  op: Operation<I, O>,
): Operation<I, O> {
  return op;
}
