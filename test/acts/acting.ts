import type { Effects } from "../../src/effects.js";
import { AsOf, JobName, runId } from "../../src/model/ids.js";
import type { Committed } from "../../src/model/run.js";
import { readCommitted } from "../../src/queries/committed.js";
import { DATES } from "../faults/scenes.js";
import { type Lab, openLab } from "../stages/lab.js";

const CARDS = JobName.parse("cards");
export const RUN = runId(CARDS, AsOf.parse(DATES.first));

/** A lab with one committed run, and that run. */
export async function committedLab(): Promise<{ readonly lab: Lab; readonly run: Committed }> {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  return { lab, run: await committedRun(DATES.first, lab.start("first").fx) };
}

/** The run of a date as the store has it. */
export async function committedRun(as_of: string, fx: Effects): Promise<Committed> {
  const run = await readCommitted(runId(CARDS, AsOf.parse(as_of)), fx);
  if (run === null) throw new Error("the run is not committed");
  return run;
}
