import type { Effects } from "../../src/effects.js";
import { AsOf, JobName, runId } from "../../src/model/ids.js";
import type { Committed } from "../../src/model/run.js";
import { readCommitted } from "../../src/queries/committed.js";
import { DATES } from "../faults/scenes.js";
import { type Lab, openLab } from "../stages/lab.js";

export const RUN = runId(JobName.parse("cards"), AsOf.parse(DATES.first));

/** A lab with one committed run, and that run. */
export async function committedLab(): Promise<{ readonly lab: Lab; readonly run: Committed }> {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  return { lab, run: await committed(lab.start("first").fx) };
}

async function committed(fx: Effects): Promise<Committed> {
  const run = await readCommitted(RUN, fx);
  if (run === null) throw new Error("the run is not committed");
  return run;
}
