import { z } from "zod";
import type { Effects } from "../effects.js";
import { partsOf, RunId } from "../model/ids.js";
import { readJournal } from "../model/journal.js";
import { LineageAnswer } from "../model/lineage.js";
import type { Committed } from "../model/run.js";
import { unknownRun } from "../queries/catalogue.js";
import { committedRuns, keptText, readCommitted, receiptOf } from "../queries/committed.js";
import { lineageEvents, type Told } from "../reports/lineage.js";
import { operation } from "./operation.js";

export const lineageOperation = operation({
  name: "lineage",
  kind: "look",
  says: "A committed run and its steps as OpenLineage events, one on a line.",
  input: z.strictObject({
    run: RunId.describe("a run id, such as refunds-2026-08-10"),
    namespace: z
      .string()
      .min(1)
      .max(200)
      .default("tieout")
      .describe("namespace of the jobs and datasets in the events"),
  }),
  output: LineageAnswer,
  positional: ["run"],
  run: async ({ run, namespace }, desk) => {
    const fx = await desk.effects();
    const committed = await readCommitted(run, fx);
    if (committed === null) throw unknownRun(run, await committedRuns(partsOf(run).job, fx));
    const producer = `pkg:npm/tieout@${fx.versions.tieout ?? "0"}`;
    const events = lineageEvents(await told(committed, fx), { namespace, producer });
    return { run_id: run, events };
  },
});

async function told(run: Committed, fx: Pick<Effects, "store">): Promise<Told> {
  const { manifest } = run;
  const kept = (path: string): Promise<string> => keptText(receiptOf(run, path), fx);
  const sql = new Map<string, string>();
  for (const step of manifest.steps) sql.set(step.name, await kept(step.sql));
  const { lines } = readJournal(await kept("records/journal.jsonl"));
  return { manifest, manifest_doc: run.commit.manifest, journal: lines, sql };
}
