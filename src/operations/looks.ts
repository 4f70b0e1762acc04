import { z } from "zod";
import { placed, unusedFiles } from "../documents/load.js";
import { EXIT, TieoutError } from "../model/errors.js";
import { JobName, partsOf, RunId } from "../model/ids.js";
import { DocumentError, type Mistake } from "../model/mistake.js";
import {
  CheckAnswer,
  ConfigAnswer,
  DiffAnswer,
  ListAnswer,
  RecheckAnswer,
  StatusAnswer,
  TraceAnswer,
} from "../model/report.js";
import { previousRun } from "../queries/committed.js";
import { diff } from "../queries/diff.js";
import { list } from "../queries/list.js";
import { recheck } from "../queries/recheck.js";
import { status } from "../queries/status.js";
import { trace } from "../queries/trace.js";
import { allowedProblems } from "./allowed.js";
import { assertJob, loadChecked } from "./load.js";
import { operation } from "./operation.js";
import { sqlMistakes } from "./trial.js";

const run = RunId.describe("a run id, such as refunds-2026-08-10");
const LIST_DEFAULT = 20;

export const checkOperation = operation({
  name: "check",
  kind: "look",
  says: "Checks a job's files and SQL without running anything; all mistakes at once.",
  input: z.strictObject({ job: JobName.describe("name of the job") }),
  output: CheckAnswer,
  positional: ["job"],
  run: async ({ job }, desk) => {
    const folder = desk.job(job);
    try {
      const loaded = await loadChecked(job, desk);
      const fx = await desk.effects();
      const allowed = await placed(folder, await allowedProblems(loaded.job, fx.engine));
      const mistakes = [...allowed, ...(await sqlMistakes(loaded, folder.name, fx))];
      const unused = await unusedFiles(folder, loaded);
      return { job, valid: mistakes.length === 0, mistakes: mistakes.map(shownMistake), unused };
    } catch (e) {
      if (!(e instanceof DocumentError)) throw e;
      return { job, valid: false, mistakes: e.mistakes.map(shownMistake), unused: [] };
    }
  },
  exit: (output) => (output.valid ? EXIT.OK : EXIT.USAGE),
});

export const listOperation = operation({
  name: "list",
  kind: "look",
  says: "Committed runs, the latest date first.",
  input: z.strictObject({
    job: JobName.optional().describe("only the runs of this job"),
    n: z.int().min(1).max(1000).default(LIST_DEFAULT).describe("how many at most"),
  }),
  output: ListAnswer,
  positional: ["job"],
  run: async ({ job, n }, desk) => {
    const answer = await list(job ?? null, n, await desk.effects());
    if (job !== undefined && answer.runs_total === 0) await assertJob(job, desk);
    return answer;
  },
});

export const statusOperation = operation({
  name: "status",
  kind: "look",
  says: "Where a run stands: committed, running, failed or abandoned, and why.",
  input: z.strictObject({ run }),
  output: StatusAnswer,
  positional: ["run"],
  run: async ({ run }, desk) => status(run, await desk.effects()),
});

export const traceOperation = operation({
  name: "trace",
  kind: "look",
  says: "From a figure or an artefact back to the file, its SQL and its sources, by hash.",
  input: z.strictObject({
    run,
    of: z
      .string()
      .min(1)
      .optional()
      .describe("name of a figure or of an artefact; lists them when absent"),
  }),
  output: TraceAnswer,
  positional: ["run", "of"],
  run: async ({ run, of }, desk) => trace(run, of ?? null, await desk.effects()),
});

export const recheckOperation = operation({
  name: "recheck",
  kind: "look",
  says:
    "Re-hashes everything that a run kept, runs its " +
    "checks again and computes its figures again.",
  input: z.strictObject({ run }),
  output: RecheckAnswer,
  positional: ["run"],
  run: async ({ run }, desk) => recheck(run, await desk.effects()),
  exit: (output) => (output.sound ? EXIT.OK : EXIT.DAMAGE),
});

export const diffOperation = operation({
  name: "diff",
  kind: "look",
  says: "What differs between two committed runs: inputs, artefacts row by row, figures.",
  input: z.strictObject({
    run,
    with: RunId.optional().describe(
      "the run to compare with; the previous one of the job otherwise",
    ),
  }),
  output: DiffAnswer,
  positional: ["run", "with"],
  run: async (input, desk) => {
    const fx = await desk.effects();
    const { job, as_of } = partsOf(input.run);
    const other = input.with ?? (await previousRun(job, as_of, fx));
    if (other !== null) return diff(other, input.run, fx);
    throw new TieoutError("UNKNOWN_RUN", {
      subject: input.run,
      cause: "it has no previous run to compare with",
      remedy: `name one: tieout diff ${input.run} <run>`,
    });
  },
});

export const configOperation = operation({
  name: "config",
  kind: "look",
  says: "Every setting, its value and where it came from; secrets are masked.",
  input: z.strictObject({}),
  output: ConfigAnswer,
  positional: [],
  run: async (_, desk) => {
    const { settings, ignored, mistakes } = desk.configuration();
    return {
      settings: settings.map(({ name, shown, origin, from }) => ({
        name,
        value: shown,
        origin,
        from,
      })),
      ignored: ignored.map((i) => i.name),
      mistakes: mistakes.map(shownMistake),
    };
  },
  exit: (output) => (output.mistakes.length === 0 ? EXIT.OK : EXIT.USAGE),
});

function shownMistake({ file, line, column, message, expected, nearest }: Mistake) {
  return { file, line, column, message, expected, nearest };
}
