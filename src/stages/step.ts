import type { Effects } from "../effects.js";
import { needsTwin } from "../formats/formats.js";
import { fingerprint } from "../model/canonical.js";
import { declaredColumns } from "../model/declared.js";
import { TieoutError } from "../model/errors.js";
import { type Path, RelationRef, type Sha256 } from "../model/ids.js";
import { fileOf, formatOf, orderOf, type StepSpec } from "../model/job.js";
import { relativeTo } from "../model/layout.js";
import type { SealedFile, StepRecord } from "../model/records.js";
import type { Relation } from "../model/relation.js";
import { stepRelation } from "../model/relations.js";
import type { Pinned } from "../model/run.js";
import { earlierSteps, isWhole } from "./earlier.js";
import { append } from "./journal.js";

/**
 * A step's file before it is sealed: Parquet or CSV that the engine wrote and a second count agreed
 * with.
 */
export interface Draft {
  readonly k: number;
  readonly sql: string;
  readonly path: Path;
  readonly relation: Relation;
  readonly reads: readonly RelationRef[];
}

/** Where a step stands: what it may read, and what was sealed before it. */
export interface Bench {
  readonly from: Pinned;
  readonly relations: readonly Relation[];
  readonly sealed: readonly StepRecord[];
}

/**
 * Evaluates a SELECT into the k-th draft of a step's file.
 * @throws the engine's errors; COUNT_MISMATCH when the writer and a fresh count of the file differ
 */
export async function makeDraft(
  step: StepSpec,
  sql: string,
  k: number,
  bench: Bench,
  fx: Effects,
): Promise<Draft> {
  const { name } = fileOf(step);
  const format = formatOf(name) === "csv" ? "csv" : "parquet";
  const path = bench.from.layout.draft(step.name, needsTwin(name) ? `${name}.parquet` : name, k);
  const spec = bench.from.job.artefacts[name];
  const columns = spec === undefined ? null : declaredColumns(spec.columns);
  const order_by = (spec?.order_by ?? []).map(orderOf);
  const allow = bench.from.job.allow?.functions ?? [];
  const made = await fx.engine.evaluate({
    sql,
    relations: bench.relations,
    columns,
    order_by,
    to: path,
    format,
    allow,
  });
  const relation: Relation = {
    name: RelationRef.parse(step.name),
    columns: made.columns,
    files: [{ path, format }],
    rows: made.rows,
  };
  await assertCount(relation, fx);
  return { k, sql, path, relation, reads: made.reads };
}

/** The second of the two counts: of the rows that the file on disk gives back. */
async function assertCount(relation: Relation, fx: Effects): Promise<void> {
  const sql = `SELECT count(*) AS n FROM ${fx.engine.dialect.from(relation.name)}`;
  const table = await fx.engine.ask({ sql, params: [], relations: [relation], limit: 1 });
  const counted = Number(table.rows[0]?.[0]);
  if (counted === relation.rows) return;
  throw new TieoutError("COUNT_MISMATCH", {
    subject: relation.name,
    cause: `the writer reported ${relation.rows} rows and the file holds ${counted}`,
    remedy: "run the id again; if it happens again, report it with the engine's version",
    at: { written: relation.rows, counted },
  });
}

/**
 * Seals a draft, its SQL and, where people get another format, its twin; then journals the step.
 */
export async function sealStep(
  n: number,
  step: StepSpec,
  draft: Draft,
  by: StepRecord["by"],
  bench: Bench,
  fx: Effects,
): Promise<StepRecord> {
  const { layout } = bench.from;
  const { kind, name } = fileOf(step);
  const final = kind === "artefact" ? layout.artefact(name) : layout.scratch(name);
  const sql = await sealedText(layout.record(`sql/${step.name}.sql`), draft.sql, bench, fx);
  const isBook = needsTwin(name);
  const twin = isBook ? await sealed(draft.path, layout.twin(name), bench, fx) : null;
  const overflow = isBook ? await writeBook(step, draft, bench, fx) : 0;
  const source = isBook ? layout.draft(step.name, name, draft.k) : draft.path;
  const file = { ...(await sealed(source, final, bench, fx)), name };
  const record: StepRecord = {
    step: n,
    name: step.name,
    by,
    fingerprint: stepFingerprint(step, draft.sql, bench, fx),
    sql,
    reads: [...draft.reads],
    kind,
    file,
    twin,
    rows: draft.relation.rows,
    overflow,
    columns: [...draft.relation.columns],
    conserves: step.conserves ?? [],
    adopted_from: null,
  };
  await append(layout.journal, "step", record, fx);
  const { rows, file: made } = record;
  fx.log.info("sealed", { step: step.name, rows, size_bytes: made.size_bytes });
  return record;
}

/**
 * Everything that decides a step's bytes (I010): its SQL, its job entry, the engine, and all that
 * it could read.
 */
function stepFingerprint(
  step: StepSpec,
  sql: string,
  bench: Bench,
  fx: Pick<Effects, "engine">,
): Sha256 {
  const { from, sealed: before } = bench;
  const { name } = fileOf(step);
  const { columns = null, order_by = null, title = null } = from.job.artefacts[name] ?? {};
  return fingerprint({
    step,
    sql,
    artefact: { columns, order_by, title },
    allow: from.job.allow ?? null,
    engine: [fx.engine.name, fx.engine.version],
    inputs: from.inputs.map((i) => [
      i.name,
      from.job.inputs[i.name] ?? null,
      i.files.map((f) => [f.source, f.sha256]),
    ]),
    previous: from.previous.map((p) => [p.name, p.columns, p.from?.sha256 ?? null]),
    before: before.map((s) => [s.name, s.file.sha256, s.twin?.sha256 ?? null]),
  });
}

/**
 * A sealed file of an earlier attempt with this step's fingerprint, copied in and hashed again;
 * null when there is none. An earlier file whose bytes changed is passed over and made anew.
 */
export async function adopt(
  n: number,
  step: StepSpec,
  sql: string,
  bench: Bench,
  fx: Effects,
): Promise<StepRecord | null> {
  const wanted = stepFingerprint(step, sql, bench, fx);
  for (const { attempt, layout, record } of await earlierSteps(bench.from, fx)) {
    if (record.fingerprint !== wanted || record.step !== n) continue;
    const files = [record.sql, record.file, ...(record.twin ? [record.twin] : [])];
    const whole = await Promise.all(files.map((f) => isWhole(layout.at(f.path), f.sha256, fx)));
    if (whole.includes(false)) continue;
    for (const f of files) await copyProven(layout.at(f.path), f, bench, fx);
    const adopted = { ...record, adopted_from: record.adopted_from ?? attempt };
    await append(bench.from.layout.journal, "step", adopted, fx);
    fx.log.info("adopted", { step: step.name, from_attempt: attempt });
    return adopted;
  }
  return null;
}

export function benchAfter(bench: Bench, record: StepRecord): Bench {
  return {
    from: bench.from,
    relations: [...bench.relations, stepRelation(record, bench.from.layout)],
    sealed: [...bench.sealed, record],
  };
}

async function copyProven(from: Path, file: SealedFile, bench: Bench, fx: Effects): Promise<void> {
  const copy = await fx.folder.copy(from, bench.from.layout.at(file.path));
  if (copy.sha256 === file.sha256) return;
  throw new TieoutError("DISK", {
    subject: file.path,
    cause: "the copy of an earlier attempt's file has other bytes than the file",
    remedy: "run the id again; if it happens again, look at the disk",
  });
}

async function writeBook(step: StepSpec, draft: Draft, bench: Bench, fx: Effects): Promise<number> {
  const { layout, job } = bench.from;
  const { name } = fileOf(step);
  const files = [{ path: layout.twin(name), format: "parquet" as const }];
  const twin: Relation = { ...draft.relation, files };
  const request = {
    twin,
    title: job.artefacts[name]?.title ?? step.name,
    to: layout.draft(step.name, name, draft.k),
  };
  const { overflow } = await fx.writer.write(request, fx.engine);
  await fx.writer.prove(request, fx.engine);
  return overflow;
}

async function sealed(draft: Path, to: Path, bench: Bench, fx: Effects): Promise<SealedFile> {
  return { path: relativeTo(bench.from.layout, to), ...(await fx.folder.seal(draft, to)) };
}

async function sealedText(to: Path, text: string, bench: Bench, fx: Effects): Promise<SealedFile> {
  return { path: relativeTo(bench.from.layout, to), ...(await fx.folder.write(to, text)) };
}
