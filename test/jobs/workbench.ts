import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import type { CheckPlan } from "../../src/checks/check.js";
import { planChecks, planConserves, planKey } from "../../src/checks/plan.js";
import { parseJob } from "../../src/documents/job.js";
import type { Engine } from "../../src/engines/engine.js";
import { Column } from "../../src/model/columns.js";
import { AsOf, type Path, RelationName, RelationRef, runId } from "../../src/model/ids.js";
import { fileOf, formatOf, type Job, orderOf, type StepSpec } from "../../src/model/job.js";
import { type AttemptLayout, attemptLayout } from "../../src/model/layout.js";
import { mistakeText } from "../../src/model/mistake.js";
import type { Relation } from "../../src/model/relation.js";
import type { Reader } from "../../src/readers/reader.js";
import { directorySource } from "../../src/sources/directory.js";

/** What a job's data needs of the house: an engine, a reader and an empty folder. */
export interface Workbench {
  readonly engine: Engine;
  readonly reader: Reader;
  readonly root: Path;
}

/** A job's inputs and steps as relations by name, and every check that found something. */
export interface Outcome {
  readonly relations: ReadonlyMap<string, Relation>;
  readonly faults: readonly string[];
}

interface Loaded {
  readonly job: Job;
  readonly sql: Readonly<Record<string, string>>;
}

/**
 * Reads, evaluates and checks a job as the stages do, without a store: `before` is the outcome of the
 * run before, whose artefacts are then `previous.<name>`.
 */
export async function runJob(
  folder: string,
  asOf: string,
  inputs: string,
  before: Outcome | null,
  bench: Workbench,
): Promise<Outcome> {
  const loaded = loadJob(folder);
  const { job } = loaded;
  const names = job.steps.map((s) => s.name);
  const layout = attemptLayout(bench.root, runId(job.job, AsOf.parse(asOf)), 1, names);
  for (const path of layout.folders) mkdirSync(path, { recursive: true });
  const relations = new Map<string, Relation>(previousOf(job, before).map((r) => [r.name, r]));
  const faults: string[] = [];
  for (const name of Object.keys(job.inputs).map((n) => RelationName.parse(n))) {
    const relation = await readInput(job, name, inputs, layout, bench);
    relations.set(name, relation);
    const subject = { relation: name, artefact: name, columns: relation.columns };
    const plans = planKey(job.inputs[name]?.key ?? [], subject, bench.engine.dialect);
    faults.push(...(await faultsOf(plans, relations, layout, bench)));
  }
  for (const step of job.steps) {
    relations.set(step.name, await evaluate(step, loaded, relations, layout, bench));
    const plans = plansOf(step, loaded, relations, bench);
    faults.push(...(await faultsOf(plans, relations, layout, bench)));
  }
  return { relations, faults };
}

/** All rows of a relation as canonical text, in the order that its artefact declares. */
export async function rowsOf(relation: Relation, order: string[], engine: Engine) {
  const { from, order: spell } = engine.dialect;
  const columns = relation.columns.map((c) => engine.dialect.id(c.name)).join(", ");
  const sql = `SELECT ${columns} FROM ${from(relation.name)} ORDER BY ${spell(order.map(orderOf), relation.columns)}`;
  const table = await engine.ask({
    sql,
    params: [],
    relations: [relation],
    limit: relation.rows + 1,
  });
  return table.rows;
}

function loadJob(folder: string): Loaded {
  const home = new URL(`../../jobs/${folder}/`, import.meta.url);
  const textOf = (file: string): string => readFileSync(new URL(file, home), "utf8");
  const { job, mistakes } = parseJob(textOf("job.yaml"), "job.yaml");
  if (!job) throw new Error(mistakes.map(mistakeText).join("\n"));
  const files = readdirSync(home, { recursive: true, encoding: "utf8" });
  const sql = files.filter((f) => f.endsWith(".sql")).map((f) => [f, textOf(f)] as const);
  return { job, sql: Object.fromEntries(sql) };
}

function previousOf(job: Job, before: Outcome | null): Relation[] {
  return Object.keys(job.previous ?? {}).map((name) => {
    const made = before?.relations.get(name);
    const step = job.steps.find((s) => s.name === name);
    const declared = step?.artefact ? columnsOf(job, step) : [];
    return {
      name: RelationRef.parse(`previous.${name}`),
      columns: made?.columns ?? declared ?? [],
      files: made?.files ?? [],
      rows: made?.rows ?? 0,
    };
  });
}

function columnsOf(job: Job, step: StepSpec): Column[] | null {
  const spec = job.artefacts[fileOf(step).name];
  if (!spec) return null;
  return Object.entries(spec.columns).map(([name, type]) => Column.parse({ name, type }));
}

async function readInput(
  job: Job,
  input: RelationName,
  folder: string,
  layout: AttemptLayout,
  { reader, engine }: Workbench,
): Promise<Relation> {
  const spec = job.inputs[input];
  if (!spec) throw new Error(`no input ${input}`);
  const found = await directorySource(folder, folder).find(spec.file);
  const files = found.map(({ file, name }, n) => {
    copyFileSync(file, layout.pinned(input, n));
    return { path: layout.pinned(input, n), source: name };
  });
  const typed = (n: number): Path => layout.typed(input, n);
  const rejects = layout.rejects(input);
  const reading = await reader.read({ input, spec, files, typed, rejects }, engine);
  if (reading.rejects) throw new Error(`${input}: ${JSON.stringify(reading.rejects.first)}`);
  return reading.relation;
}

async function evaluate(
  step: StepSpec,
  { job, sql }: Loaded,
  relations: ReadonlyMap<string, Relation>,
  layout: AttemptLayout,
  { engine }: Workbench,
): Promise<Relation> {
  const { name } = fileOf(step);
  const format = formatOf(name) === "csv" ? ("csv" as const) : ("parquet" as const);
  const to = layout.draft(step.name, format === "csv" ? name : `${name}.parquet`, 1);
  const made = await engine.evaluate({
    sql: sql[step.sql ?? ""] ?? "",
    relations: [...relations.values()],
    columns: columnsOf(job, step),
    order_by: (job.artefacts[name]?.order_by ?? []).map(orderOf),
    to,
    format,
    allow: [],
  });
  const files = [{ path: to, format }];
  return { name: RelationRef.parse(step.name), columns: made.columns, files, rows: made.rows };
}

function plansOf(
  step: StepSpec,
  { job, sql }: Loaded,
  relations: ReadonlyMap<string, Relation>,
  { engine }: Workbench,
): CheckPlan[] {
  const { name } = fileOf(step);
  const subject = {
    relation: step.name,
    artefact: name,
    columns: relations.get(step.name)?.columns ?? [],
  };
  const declared = job.artefacts[name];
  return [
    ...(declared ? planChecks(declared.checks ?? [], subject, sql, engine.dialect) : []),
    ...(step.conserves ? [planConserves(step.conserves, subject, engine.dialect)] : []),
  ];
}

async function faultsOf(
  plans: readonly CheckPlan[],
  known: ReadonlyMap<string, Relation>,
  layout: AttemptLayout,
  { engine }: Workbench,
): Promise<string[]> {
  const faults: string[] = [];
  for (const plan of plans) {
    const relations = [...known.values()];
    if (plan.foreign) {
      const { name, sql } = plan.foreign;
      const to = layout.at(`temp/${plan.name}.parquet`);
      const request = { sql, relations: [...known.values()], columns: null, order_by: [], to };
      const made = await engine.evaluate({ ...request, format: "parquet", allow: [] });
      const files = [{ path: to, format: "parquet" as const }];
      relations.push({ ...made, name: RelationRef.parse(name), files });
    }
    const facts = await engine.ask({ sql: plan.facts, params: [], relations, limit: 1 });
    const row = facts.rows[0] ?? [];
    const fault = plan.judge(
      Object.fromEntries(facts.columns.map((c, i) => [c.name, row[i] ?? null])),
    );
    if (fault) faults.push(`${plan.name}: ${fault.message}`);
  }
  return faults;
}
