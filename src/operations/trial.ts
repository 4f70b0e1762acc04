import type { Effects } from "../effects.js";
import { sha256Of } from "../model/canonical.js";
import type { Column } from "../model/columns.js";
import { declaredColumns } from "../model/declared.js";
import { EXIT, isTieout, TieoutError } from "../model/errors.js";
import { type Path, RelationName, RelationRef } from "../model/ids.js";
import {
  type ArtefactSpec,
  type CheckSpec,
  fileOf,
  type Job,
  type LoadedJob,
  orderOf,
  type StepSpec,
} from "../model/job.js";
import { numbered, trialFolder } from "../model/layout.js";
import type { Mistake } from "../model/mistake.js";
import type { Relation } from "../model/relation.js";
import { inputColumns, REJECT_COLUMNS, rejectsName, SOURCE_COLUMNS } from "../model/relations.js";
import { plansOf } from "../queries/checks.js";

type Needs = Pick<Effects, "engine" | "folder" | "root" | "owner">;

/** A job's SELECTs being tried: what was found so far, and what they may read. */
interface Trial {
  readonly loaded: LoadedJob;
  readonly folder: string;
  readonly relations: Relation[];
  /** Steps whose columns nobody knows, since their SQL is mistaken. */
  readonly unknown: Set<string>;
  readonly mistakes: Mistake[];
  readonly next: () => Path;
  readonly fx: Needs;
}

/**
 * Every SELECT of a job over its relations without rows: what the gate or the engine would refuse
 * during a run, and columns that are not the declared ones, all at once. A SELECT that reads a
 * mistaken step is only vetted. Nothing is left behind.
 */
export async function sqlMistakes(
  loaded: LoadedJob,
  folder: string,
  fx: Needs,
): Promise<Mistake[]> {
  const dir = trialFolder(fx.root, sha256Of(fx.owner));
  await fx.folder.make(fx.root);
  await fx.folder.make(dir);
  let n = 0;
  const next = () => numbered(dir, n++, "trial");
  const unknown = new Set<string>();
  const trial = { loaded, folder, relations: sourcesOf(loaded), unknown, mistakes: [], next, fx };
  try {
    for (const step of loaded.job.steps) {
      const made = await tryStep(step, trial);
      trial.relations.push(made);
      await tryChecks(step, made, trial);
    }
    return trial.mistakes;
  } finally {
    await fx.folder.remove(dir);
  }
}

/** What the first step may read, without rows. */
function sourcesOf({ job }: LoadedJob): Relation[] {
  const inputs = Object.entries(job.inputs).flatMap(([name, { columns }]) => [
    empty(name, [...inputColumns(columns), ...SOURCE_COLUMNS]),
    empty(rejectsName(RelationName.parse(name)), REJECT_COLUMNS),
  ]);
  const previous = Object.keys(job.previous ?? {}).map((name) => {
    const step = job.steps.find((s) => s.name === name);
    return empty(`previous.${name}`, step === undefined ? [] : declared(step, job));
  });
  return [...inputs, ...previous];
}

/** A step's relation without rows; what is declared of a file holds, however mistaken its SQL. */
async function tryStep(step: StepSpec, trial: Trial): Promise<Relation> {
  const { job, sql } = trial.loaded;
  const spec = job.artefacts[fileOf(step).name];
  const artefact = spec === undefined ? null : { columns: declared(step, job), spec };
  const text = sql[step.sql ?? ""];
  const made =
    step.sql === undefined || text === undefined
      ? null
      : await attempt(step.sql, null, trial, () => evaluate(text, artefact, trial));
  const columns = artefact?.columns ?? made;
  if (columns === null) trial.unknown.add(step.name);
  return empty(step.name, columns ?? []);
}

/** The SELECTs of an artefact's checks, and whether they give what their kind compares with. */
async function tryChecks(step: StepSpec, subject: Relation, trial: Trial): Promise<void> {
  const { job, sql } = trial.loaded;
  const { name } = fileOf(step);
  const at = { job, sql, step };
  const plans = plansOf(name, subject, at, trial.fx).filter((p) => p.foreign !== null);
  const specs = (job.artefacts[name]?.checks ?? []).filter(hasSelect);
  for (const [i, plan] of plans.entries()) {
    const { foreign } = plan;
    if (foreign === null) continue;
    const file = specs[i]?.sql ?? null;
    await attempt(file ?? "job.yaml", file === null ? plan.name : null, trial, async () => {
      const columns = await evaluate(foreign.sql, null, trial);
      const cause = columns === null ? null : foreign.problem(columns);
      if (cause === null) return columns;
      const remedy = "give the columns that the check's kind compares with";
      throw new TieoutError("COLUMN_MISMATCH", { subject: step.name, cause, remedy });
    });
  }
}

function hasSelect(check: CheckSpec): boolean {
  return (check.sql ?? check.rows?.equals ?? check.control_total?.equals) !== undefined;
}

/** Columns of the result; null when they depend on a mistaken step. */
async function evaluate(
  sql: string,
  artefact: { columns: readonly Column[]; spec: ArtefactSpec } | null,
  { loaded, relations, unknown, next, fx }: Trial,
): Promise<readonly Column[] | null> {
  const allow = loaded.job.allow?.functions ?? [];
  const readable = relations.map((r) => r.name);
  if (unknown.size > 0) {
    const { reads } = await fx.engine.vet(sql, readable, allow);
    if (reads.some((name) => unknown.has(name))) return null;
  }
  const order_by = (artefact?.spec.order_by ?? []).map(orderOf);
  const columns = artefact?.columns ?? null;
  const known = relations.filter((r) => !unknown.has(r.name));
  const request = { sql, relations: known, columns, order_by, to: next(), allow };
  return (await fx.engine.evaluate({ ...request, format: "parquet" })).columns;
}

/**
 * Null, and a mistake of the file, when the SELECT is refused; what is nobody's mistake is thrown.
 * @param check - of a SELECT that stands within job.yaml, whose lines are not the file's
 */
async function attempt<T>(
  file: string,
  check: string | null,
  trial: Trial,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (e) {
    if (!isTieout(e) || e.exit !== EXIT.USAGE) throw e;
    const { line = 1, column = 1 } = e.at;
    trial.mistakes.push({
      file: `${trial.folder}/${file}`,
      line: check === null ? Number(line) : 0,
      column: check === null ? Number(column) : 0,
      path: [],
      message: check === null ? e.message : `the SELECT of ${check}: ${e.message}`,
      expected: e.remedy,
      nearest: null,
    });
    return null;
  }
}

function declared(step: StepSpec, job: Job): Column[] {
  return declaredColumns(job.artefacts[fileOf(step).name]?.columns ?? {});
}

function empty(name: string, columns: readonly Column[]): Relation {
  return { name: RelationRef.parse(name), columns, files: [], rows: 0 };
}
