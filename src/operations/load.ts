import { specProblems } from "../checks/plan.js";
import { loadJob } from "../documents/load.js";
import { declaredColumns } from "../model/declared.js";
import { nearest, TieoutError } from "../model/errors.js";
import type { JobName } from "../model/ids.js";
import type { Job, LoadedJob } from "../model/job.js";
import { DocumentError, type Mistake, type Problem, wrong } from "../model/mistake.js";
import { checkTemplate } from "../model/summary.js";
import type { Source } from "../sources/source.js";
import type { Desk } from "./operation.js";
import { shareProblems } from "./shares.js";

const JOB_FILE = "job.yaml";

/** A job whose document, checks, figures and summary are right; its SQL is vetted as it runs. */
export async function loadChecked(
  name: JobName,
  desk: Pick<Desk, "job" | "jobs" | "configuration">,
): Promise<LoadedJob> {
  const source = desk.job(name);
  await assertJob(name, desk);
  const destinations = Object.keys(desk.configuration().config?.shares ?? {});
  const loaded = await loadJob(source, (job) => [
    ...declaredProblems(job),
    ...shareProblems(job, destinations),
  ]);
  const mistakes = summaryMistakes(loaded, source.name);
  if (mistakes.length === 0) return loaded;
  throw new DocumentError("JOB_INVALID", source.name, mistakes, "mend the summary's template");
}

/** @throws USAGE with the nearest name when the jobs' folder has no such job */
export async function assertJob(name: JobName, desk: Pick<Desk, "job" | "jobs">): Promise<void> {
  if ((await desk.job(name).find(JOB_FILE)).length === 0) throw await unknownJob(name, desk.jobs());
}

async function unknownJob(name: JobName, jobs: Source): Promise<TieoutError> {
  const found = await jobs.find(`*/${JOB_FILE}`);
  const names = found.map((f) => f.name.slice(0, -JOB_FILE.length - 1));
  const near = nearest(name, names);
  const known = names.length === 0 ? `make ${name}/${JOB_FILE} there` : `use ${names.join(", ")}`;
  return new TieoutError("USAGE", {
    subject: name,
    cause: `there is no job of that name in ${jobs.name}`,
    remedy: near === null ? `${known}, or name the jobs' folder with --jobs` : `use ${near}`,
  });
}

/** What `checks/` has to say of a job whose fields are valid. */
function declaredProblems(job: Job): Problem[] {
  return Object.entries(job.artefacts).flatMap(([name, spec]) => {
    const columns = declaredColumns(spec.columns);
    return (spec.checks ?? []).flatMap((check, i) =>
      specProblems(check, columns).map((p) =>
        wrong(
          ["artefacts", name, "checks", i, ...p.path],
          p.message,
          "a check that fits its columns",
        ),
      ),
    );
  });
}

function summaryMistakes(loaded: LoadedJob, folder: string): Mistake[] {
  const { job, summary } = loaded;
  if (summary === null) return [];
  const file = `${folder}/${job.summary}`;
  return checkTemplate(summary, job.figures ?? {}, Object.keys(job.artefacts)).map((p) => ({
    file,
    line: p.line,
    column: p.column,
    path: [],
    message: p.message,
    expected: "figures, dates and words",
    nearest: null,
  }));
}
