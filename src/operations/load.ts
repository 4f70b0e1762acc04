import { specProblems } from "../checks/plan.js";
import { loadJob } from "../documents/load.js";
import type { Engine } from "../engines/engine.js";
import { Column } from "../model/columns.js";
import { isTieout, nearest, TieoutError } from "../model/errors.js";
import { type JobName, RelationRef } from "../model/ids.js";
import { type Job, type LoadedJob, stepOf } from "../model/job.js";
import { DocumentError, type Mistake, type Problem, wrong } from "../model/mistake.js";
import { rejectsName } from "../model/relations.js";
import { checkTemplate } from "../model/summary.js";
import type { Source } from "../sources/source.js";
import type { Desk } from "./operation.js";

const JOB_FILE = "job.yaml";

/** A job whose document, checks, figures and summary are right; its SQL is vetted as it runs. */
export async function loadChecked(
  name: JobName,
  desk: Pick<Desk, "job" | "jobs">,
): Promise<LoadedJob> {
  const source = desk.job(name);
  if ((await source.find(JOB_FILE)).length === 0) throw await unknownJob(name, desk.jobs());
  const loaded = await loadJob(source, declaredProblems);
  const mistakes = summaryMistakes(loaded, source.name);
  if (mistakes.length === 0) return loaded;
  throw new DocumentError("JOB_INVALID", source.name, mistakes, "mend the summary's template");
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
    const columns = columnsOf(spec.columns);
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

/**
 * Every SQL text of a job through the engine's gate, with what it may read: all refusals at once.
 */
export async function sqlMistakes(
  loaded: LoadedJob,
  folder: string,
  engine: Pick<Engine, "vet">,
): Promise<Mistake[]> {
  const mistakes: Mistake[] = [];
  for (const { file, sql, readable } of foreignSql(loaded)) {
    try {
      await engine.vet(sql, readable, loaded.job.allow?.functions ?? []);
    } catch (e) {
      if (!isTieout(e)) throw e;
      const { line = 1, column = 1 } = e.at;
      mistakes.push({
        file: `${folder}/${file}`,
        line: Number(line),
        column: Number(column),
        path: [],
        message: e.message,
        expected: e.remedy,
        nearest: null,
      });
    }
  }
  return mistakes;
}

/** Each SELECT that a job brings, and the relations that it may read. */
function foreignSql({ job, sql }: LoadedJob) {
  const sources = [
    ...Object.keys(job.inputs),
    ...Object.keys(job.inputs).map((i) => rejectsName(i as never)),
    ...Object.keys(job.previous ?? {}).map((p) => `previous.${p}`),
  ];
  const before = (n: number) =>
    [...sources, ...job.steps.slice(0, n).map((s) => s.name)].map((r) => RelationRef.parse(r));
  const steps = job.steps.flatMap((step, n) =>
    step.sql === undefined
      ? []
      : [{ file: step.sql, sql: sql[step.sql] ?? "", readable: before(n) }],
  );
  const checks = Object.entries(job.artefacts).flatMap(([name, spec]) => {
    const step = stepOf(job, name as never);
    const readable = before(job.steps.indexOf(step) + 1);
    return (spec.checks ?? []).flatMap((check) => {
      const inline = check.rows?.equals ?? check.control_total?.equals;
      const own =
        check.sql === undefined ? [] : [{ file: check.sql, sql: sql[check.sql] ?? "", readable }];
      return inline === undefined ? own : [...own, { file: "job.yaml", sql: inline, readable }];
    });
  });
  return [...steps, ...checks];
}

function columnsOf(columns: Readonly<Record<string, string>>): Column[] {
  return Object.entries(columns).map(([name, type]) => Column.parse({ name, type }));
}
