import { z } from "zod";
import { share } from "../acts/share.js";
import { EXIT, nearest } from "../model/errors.js";
import { partsOf, RunId } from "../model/ids.js";
import type { Job } from "../model/job.js";
import { type Problem, wrong } from "../model/mistake.js";
import { ShareAnswer } from "../model/report.js";
import { unknownRun } from "../queries/catalogue.js";
import { committedRuns, readCommitted } from "../queries/committed.js";
import { operation } from "./operation.js";

export const shareOperation = operation({
  name: "share",
  kind: "run",
  says: "Copies what a committed run shares and has not shared yet to the job's destinations.",
  input: z.strictObject({ run: RunId.describe("a committed run") }),
  output: ShareAnswer,
  positional: ["run"],
  run: async ({ run: run_id }, desk) => {
    const fx = await desk.effects();
    const run = await readCommitted(run_id, fx);
    if (run === null) throw unknownRun(run_id, await committedRuns(partsOf(run_id).job, fx));
    return { run_id, shares: await share(run, fx) };
  },
  exit: ({ shares }) => (shares.some((s) => s.state === "pending") ? EXIT.PENDING : EXIT.OK),
});

/**
 * Destinations that a job names and nobody configured. Where none is configured at all, the job
 * runs, and says that nothing was shared.
 */
export function shareProblems(job: Job, configured: readonly string[]): Problem[] {
  if (configured.length === 0) return [];
  return Object.entries(job.artefacts).flatMap(([name, { share }]) => {
    if (share === undefined || configured.includes(share)) return [];
    const message = `there is no destination ${share}`;
    const expected = `one of tieout.yaml's shares: ${configured.join(", ")}`;
    return [wrong(["artefacts", name, "share"], message, expected, nearest(share, configured))];
  });
}
