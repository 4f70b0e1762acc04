import type { z } from "zod";
import {
  aggregateOperation,
  ask,
  checkOperation,
  describeOperation,
  diffOperation,
  doctorOperation,
  extendOperation,
  headOperation,
  holdOperation,
  lineageOperation,
  listOperation,
  type Operation,
  purgeOperation,
  rechainOperation,
  recheckOperation,
  releaseOperation,
  restateOperation,
  runOperation,
  shareOperation,
  statusOperation,
  tailOperation,
  traceOperation,
  whereOperation,
} from "./operations.js";
import { type LibraryOptions, openLibrary } from "./wire.js";

/**
 * tieout as a library: every operation is a function of one plain object, with the input and the
 * answer that its command has. Each call opens what it needs and closes it again.
 *
 * ```ts
 * import { head, runJob } from "tieout";
 *
 * const run = await runJob({ job: "refunds", as_of: "2026-08-10", inputs: "exports" });
 * const worst = await head({ run: run.run_id, relation: "discrepancies", n: 3 });
 * ```
 *
 * An operation that cannot answer throws a `TieoutError`: `code`, `subject`, `message`, `remedy`.
 */
export type { Agent, StepDesk } from "./agents/agent.js";
export { CODES, type Code, EXIT, isTieout, TieoutError } from "./model/errors.js";
export { Manifest } from "./model/manifest.js";
export { answerText, operationsOf } from "./operations.js";
export type { LibraryOptions } from "./wire.js";

/** Runs a job for a date, or repeats the result of a committed run. @throws what ended the run */
export const runJob = callOf(runOperation);
/** States a committed run anew, as its next revision. */
export const restate = callOf(restateOperation);
/** Restates what is outdated of a job, in the order of dates. */
export const rechain = callOf(rechainOperation);
/** Copies what a committed run shares and has not shared yet. */
export const share = callOf(shareOperation);
/** Checks a job's files and SQL without running anything. */
export const check = callOf(checkOperation);
export const list = callOf(listOperation);
export const status = callOf(statusOperation);
export const describe = callOf(describeOperation);
export const head = callOf(headOperation);
export const tail = callOf(tailOperation);
export const where = callOf(whereOperation);
export const aggregate = callOf(aggregateOperation);
/** From a figure or an artefact back to its file, SQL and sources; or what can be traced. */
export const trace = callOf(traceOperation);
export const diff = callOf(diffOperation);
/** Re-hashes, re-checks and recomputes a committed run; `sound` says whether all of it held. */
export const recheck = callOf(recheckOperation);
/** What the configured store keeps to, found out with real requests. */
export const doctor = callOf(doctorOperation);

/** Nothing of a run on hold is purged, however old it is. */
export const hold = callOf(holdOperation);
export const release = callOf(releaseOperation);
/** Keeps a run longer; never shorter. */
export const extend = callOf(extendOperation);
/** What of the runs may go, and why the rest may not; with `yes` it goes and leaves tombstones. */
export const purge = callOf(purgeOperation);

/** A committed run and its steps as OpenLineage events, in the order of time. */
export const lineage = callOf(lineageOperation);

function callOf<I extends z.ZodObject, O extends z.ZodType>(
  op: Operation<I, O>,
): (input: z.input<I>, options?: LibraryOptions) => Promise<z.output<O>> {
  return async (input, options = {}) => {
    const desk = await openLibrary(options);
    try {
      return op.output.parse((await ask(op.name, input, desk)).output);
    } finally {
      await desk.close();
    }
  };
}
