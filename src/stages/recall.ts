import { TieoutError } from "../model/errors.js";
import { runKeys } from "../model/layout.js";
import { ExtractRecord } from "../model/records.js";
import { readCommitted } from "../queries/committed.js";
import type { Stage } from "./stage.js";

/** Held → Committed from the store alone, for a process that did none of the work. */
export const recall: Stage<"held", ExtractRecord, "committed"> = {
  name: "recall",
  record: ExtractRecord,

  async run(held, fx) {
    const commit = await fx.store.head(runKeys(held.run_id).committed);
    if (commit === null) throw notCommitted(held.run_id);
    return { commit: { ...commit } };
  },

  async prove(held, _record, fx) {
    const run = await readCommitted(held.run_id, fx);
    if (run === null) throw notCommitted(held.run_id);
    return run;
  },

  journal: () => null,
};

function notCommitted(subject: string): TieoutError {
  return new TieoutError("UNKNOWN_RUN", {
    subject,
    cause: "the store has no commit of this run",
    remedy: "run the job for this date first; `tieout list` shows the runs that are committed",
  });
}
