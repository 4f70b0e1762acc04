import { TieoutError } from "../model/errors.js";
import { attemptLayout, attemptOf, runFolder, runKeys } from "../model/layout.js";
import { ClaimRecord } from "../model/records.js";
import { uncommittedManifests } from "../queries/claims.js";
import { takeLease } from "./lease.js";
import type { Stage } from "./stage.js";

/**
 * The lease on the run id, the attempt number, the attempt's folders and line 1 of its journal. The
 * only stage that makes folders, so a stale attempt cannot make again what a teardown removed.
 */
export const claim: Stage<"held", ClaimRecord, "claimed"> = {
  name: "claim",
  record: ClaimRecord,

  async run(held, fx) {
    const here = await fx.folder.list(runFolder(fx.root, held.run_id));
    const above = Math.max(0, ...here.map((name) => attemptOf(name.replace(/\.gone$/, "")) ?? 0));
    const taken = await takeLease(held.run_id, above, fx);
    const uncommitted = await uncommittedManifests(held.run_id, null, fx);
    for (const attempt of uncommitted) fx.log.info("manifest without a commit", { of: attempt });
    const steps = held.job.steps.map((s) => s.name);
    for (const dir of attemptLayout(fx.root, held.run_id, taken.attempt, steps).folders) {
      await fx.folder.make(dir);
    }
    return { attempt: taken.attempt, owner: taken.owner, at: taken.at, uncommitted };
  },

  async prove(held, record, fx) {
    const stored = await fx.store.head(runKeys(held.run_id).claim(record.attempt, 0));
    if (stored === null || record.owner !== fx.owner) {
      throw new TieoutError("LEASE_LOST", {
        subject: held.run_id,
        cause: `the claim of attempt ${record.attempt} is not this process's`,
        remedy: "run the id again",
      });
    }
    const steps = held.job.steps.map((s) => s.name);
    const layout = attemptLayout(fx.root, held.run_id, record.attempt, steps);
    return { ...held, attempt: record.attempt, layout, started_at: record.at };
  },

  journal: (held, record, fx) => attemptLayout(fx.root, held.run_id, record.attempt).journal,
};
