import { z } from "zod";
import { extendRun } from "../acts/extend.js";
import { holdRun, releaseRun } from "../acts/hold.js";
import { purgeAll, unpurged } from "../acts/purge.js";
import type { Effects } from "../effects.js";
import { EXIT } from "../model/errors.js";
import { AsOf, JobName, partsOf, RunId } from "../model/ids.js";
import { ActAnswer, PurgeAnswer, type PurgeRun } from "../model/retention.js";
import type { Committed } from "../model/run.js";
import { unknownRun } from "../queries/catalogue.js";
import { committedRuns, readCommitted } from "../queries/committed.js";
import { purgeable } from "../queries/expired.js";
import { keptNow } from "../queries/kept.js";
import { type Desk, operation } from "./operation.js";

const run = RunId.describe("a run id, such as refunds-2026-08-10");
const reason = z
  .string()
  .trim()
  .min(3, "a reason is a few words")
  .max(500)
  .describe("why; it is kept on the run's ledger");

export const holdOperation = operation({
  name: "hold",
  kind: "act",
  says: "Puts a committed run on hold: nothing of it is purged until it is released.",
  input: z.strictObject({ run, reason }),
  output: ActAnswer,
  positional: ["run"],
  run: ({ run, reason }, desk) => acted(run, desk, (r, fx) => holdRun(r, reason, fx)),
});

export const releaseOperation = operation({
  name: "release",
  kind: "act",
  says: "Ends every hold of a committed run.",
  input: z.strictObject({ run, reason }),
  output: ActAnswer,
  positional: ["run"],
  run: ({ run, reason }, desk) => acted(run, desk, (r, fx) => releaseRun(r, reason, fx)),
});

export const extendOperation = operation({
  name: "extend",
  kind: "act",
  says: "Keeps a committed run at least to the end of a day, and never shorter than before.",
  input: z.strictObject({
    run,
    until: AsOf.describe("the last day on which all is still kept, YYYY-MM-DD, in UTC"),
    reason,
  }),
  output: ActAnswer,
  positional: ["run"],
  run: ({ run, until, reason }, desk) =>
    acted(run, desk, (r, fx) => extendRun(r, { until, reason }, fx)),
});

export const purgeOperation = operation({
  name: "purge",
  kind: "act",
  says: "Lists the files whose time is over; with --yes removes them and leaves their tombstones.",
  input: z.strictObject({
    job: JobName.optional().describe("only the runs of this job"),
    run: run.optional().describe("only this run"),
    yes: z.boolean().default(false).describe("do it; without it nothing is changed"),
  }),
  output: PurgeAnswer,
  positional: ["job"],
  run: async ({ job, run, yes }, desk) => {
    const fx = await desk.effects();
    const found = await purgeable({ job: job ?? null, run: run ?? null }, fx);
    const runs = yes ? await purgeAll(found, fx) : found.plans.map(unpurged);
    const all = runs.flatMap((r) => [...r.objects, ...r.pending]);
    return {
      now: new Date(found.now).toISOString(),
      applied: yes,
      runs,
      objects: all.length,
      size_bytes: all.reduce((sum, o) => sum + o.size_bytes, 0),
    };
  },
  exit: ({ runs }) => (runs.some(isRefused) ? EXIT.PENDING : EXIT.OK),
});

function isRefused({ refused }: PurgeRun): boolean {
  return refused.length > 0;
}

/** An act on a run that is committed, and for how long it is kept after it. @throws UNKNOWN_RUN */
async function acted(
  run_id: RunId,
  desk: Desk,
  act: (run: Committed, fx: Effects) => Promise<boolean>,
): Promise<ActAnswer> {
  const fx = await desk.effects();
  const committed = await readCommitted(run_id, fx);
  if (committed === null) throw unknownRun(run_id, await committedRuns(partsOf(run_id).job, fx));
  const changed = await act(committed, fx);
  return { run_id, changed, kept: await keptNow(committed, fx) };
}
