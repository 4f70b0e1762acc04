import { z } from "zod";
import type { Effects } from "../effects.js";
import { TieoutError } from "../model/errors.js";
import { JobName, partsOf, RunId } from "../model/ids.js";
import { RechainAnswer } from "../model/report.js";
import { fetchCached } from "../queries/cache.js";
import { unknownRun } from "../queries/catalogue.js";
import { type Outdated, outdatedRuns } from "../queries/chain.js";
import { committedRuns, readCommitted } from "../queries/committed.js";
import type { KeptExport } from "../sources/source.js";
import { firstExit, inTurn, nightsOf } from "./in-turn.js";
import { loadChecked } from "./load.js";
import { operation } from "./operation.js";
import { inputsFor, restated } from "./runs.js";

export const rechainOperation = operation({
  name: "rechain",
  kind: "run",
  says: "Restates a job's outdated runs in the order of their dates, from the inputs they kept.",
  input: z.strictObject({
    of: z.string().min(1).describe("a job, or a run: then the dates up to its own"),
    inputs: z
      .string()
      .min(1)
      .optional()
      .describe("folder of other exports, {as_of} in it is the date; the kept inputs otherwise"),
  }),
  output: RechainAnswer,
  positional: ["of"],
  run: async ({ of, inputs }, desk) => {
    const run = RunId.safeParse(of).data ?? null;
    const job = run === null ? jobOf(of) : partsOf(run).job;
    const loaded = await loadChecked(job, desk);
    const looking = await desk.effects();
    const runs = await committedRuns(job, looking);
    if (run !== null && !runs.includes(run)) throw unknownRun(run, runs);
    const until = run === null ? null : partsOf(run).as_of;
    const outdated = await outdatedRuns(job, until, looking);
    const one = async ({ run_id, why }: Outdated) => {
      const { as_of } = partsOf(run_id);
      const fx = await desk.effects(inputs === undefined ? undefined : inputsFor(inputs, as_of));
      const kept = async () => desk.kept(`the inputs of ${run_id}`, await keptExports(run_id, fx));
      return restated(run_id, `rechain: ${why}`, loaded, {
        ...fx,
        inputs: inputs === undefined ? await kept() : fx.inputs,
      });
    };
    const answers = await inTurn(outdated, ({ run_id }) => run_id, one);
    return { job, restated: nightsOf(answers) };
  },
  exit: (output) => firstExit(output.restated),
});

/** The source files of a committed run. @throws NOT_KEPT when the run kept only their hashes */
async function keptExports(run_id: RunId, fx: Effects): Promise<KeptExport[]> {
  const run = await readCommitted(run_id, fx);
  if (run === null) throw unknownRun(run_id, await committedRuns(partsOf(run_id).job, fx));
  return run.manifest.inputs.flatMap((input) =>
    input.files.map(({ source, key, sha256, size_bytes }) => {
      const doc = run.receipts.receipts.find((r) => r.key === key);
      const fetch = async (): Promise<string> => {
        if (doc !== undefined) return fetchCached(doc, fx);
        throw new TieoutError("NOT_KEPT", {
          subject: `${run_id}/${input.name}`,
          cause: "the run kept only the hash of this input",
          remedy: "name the folder of its exports with --inputs",
        });
      };
      return { name: source, sha256, size_bytes, fetch };
    }),
  );
}

function jobOf(of: string): JobName {
  const job = JobName.safeParse(of).data;
  if (job !== undefined) return job;
  throw new TieoutError("USAGE", {
    subject: of,
    cause: "this is neither the name of a job nor a run id",
    remedy: "name one, such as refunds or refunds-2026-08-10",
  });
}
