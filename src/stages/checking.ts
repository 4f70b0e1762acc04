import type { CheckPlan, Fault } from "../checks/check.js";
import { planChecks, planConserves } from "../checks/plan.js";
import type { Effects } from "../effects.js";
import { TieoutError } from "../model/errors.js";
import type { CheckRecord, Finding } from "../model/finding.js";
import { type ArtefactName, RelationName, RelationRef } from "../model/ids.js";
import { type StepSpec, stepOf } from "../model/job.js";
import { relativeTo } from "../model/layout.js";
import type { SealedFile } from "../model/records.js";
import type { Relation } from "../model/relation.js";
import type { Pinned } from "../model/run.js";

/** What all checks of one artefact gave. */
export interface Checked {
  readonly artefact: ArtefactName;
  readonly checks: readonly CheckRecord[];
  readonly findings: readonly { readonly finding: Finding; readonly failing: Failing | null }[];
}
/** The rows behind a finding: a question of ours and what it reads. */
interface Failing {
  readonly check: string;
  readonly sql: string;
  readonly relations: readonly Relation[];
}

/** The checks of a run failed: every finding, and where the failing rows are. */
export class ChecksFailed extends TieoutError {
  readonly findings: readonly Finding[];
  constructor(findings: readonly Finding[]) {
    const errors = findings.filter((f) => f.severity === "error");
    super("CHECK_FAILED", {
      subject: [...new Set(errors.map((f) => f.artefact))].join(", "),
      cause: errors.map((f) => `${f.check}: ${f.message}`).join("; "),
      remedy: "look at the failing rows, then mend the input or the step's SQL and run again",
      at: { errors: errors.length, warnings: findings.length - errors.length },
    });
    this.findings = findings;
  }
}

/** What the checks of one subject read besides it, and where their scratch goes. */
export interface Checking {
  /** Names the scratch files of foreign SELECTs: a draft and its sealed form are two. */
  readonly phase: string;
  readonly step: StepSpec;
  readonly readable: readonly Relation[];
  readonly from: Pinned;
}

/**
 * Runs every check of an artefact over its relation; nothing stops at the first finding.
 * @throws what the engine throws for a check's own SQL; COLUMN_MISMATCH when it gives no such answer
 */
export async function checkArtefact(
  artefact: ArtefactName,
  subject: Relation,
  at: Checking,
  fx: Effects,
): Promise<Checked> {
  const { job, sql } = at.from;
  const relation = RelationName.parse(subject.name);
  const about = { relation, artefact, columns: subject.columns };
  const plans = planChecks(job.artefacts[artefact]?.checks ?? [], about, sql, fx.engine.dialect);
  const conserves = at.step.conserves ?? [];
  if (conserves.length > 0) plans.push(planConserves(conserves, about, fx.engine.dialect));
  const checks: CheckRecord[] = [];
  const findings: Checked["findings"][number][] = [];
  for (const plan of plans) {
    const relations = [subject, ...(await readBy(plan, subject, at, fx))];
    const fault = await judge(plan, relations, fx);
    const { name, kind, severity } = plan;
    checks.push({ name, kind, severity, passed: fault === null, rows: fault?.rows ?? 0 });
    if (fault === null) continue;
    const finding = { check: name, artefact, severity, ...fault, failed_rows: null };
    const failing = plan.failing === null ? null : { check: name, sql: plan.failing, relations };
    findings.push({ finding, failing });
  }
  return { artefact, checks, findings };
}

/** A plan's answer over its relations; null when it passes. */
export async function judge(
  plan: CheckPlan,
  relations: readonly Relation[],
  fx: Pick<Effects, "engine">,
): Promise<Fault | null> {
  const facts = await fx.engine.ask({ sql: plan.facts, params: [], relations, limit: 1 });
  const row = facts.rows[0] ?? [];
  return plan.judge(Object.fromEntries(facts.columns.map((c, i) => [c.name, row[i] ?? null])));
}

/** Failing rows in full to `records/checks/<name>.failed.csv`, sealed; findings then say where they are. */
export async function keepFailingRows(
  checked: readonly Checked[],
  from: Pinned,
  fx: Effects,
): Promise<{ findings: Finding[]; files: SealedFile[] }> {
  const findings: Finding[] = [];
  const files: SealedFile[] = [];
  for (const { artefact, findings: found } of checked) {
    for (const { finding, failing } of found) {
      const file = failing === null ? null : await renderFailing(failing, artefact, from, fx);
      if (file !== null) files.push(file);
      findings.push({ ...finding, failed_rows: file?.path ?? null });
    }
  }
  return { findings, files };
}

export function hasErrors(checked: readonly Checked[]): boolean {
  return checked.some((c) => c.findings.some((f) => f.finding.severity === "error"));
}

async function renderFailing(
  failing: Failing,
  artefact: ArtefactName,
  from: Pinned,
  fx: Effects,
): Promise<SealedFile> {
  const { check, sql, relations } = failing;
  const step = stepOf(from.job, artefact);
  const draft = from.layout.draft(step.name, `${check}.failed.csv`, 0);
  await fx.engine.render({ sql, params: [], relations, sources: [], to: draft, format: "csv" });
  const to = from.layout.failedRows(check);
  return { path: relativeTo(from.layout, to), ...(await fx.folder.seal(draft, to)) };
}

/** What a plan reads besides its subject: relations of the run, and its own SELECT made one. */
async function readBy(
  plan: CheckPlan,
  subject: Relation,
  at: Checking,
  fx: Effects,
): Promise<Relation[]> {
  const named = at.readable.filter((r) => plan.reads.includes(r.name));
  if (plan.foreign === null) return named;
  const { name, sql, problem } = plan.foreign;
  const { layout, job } = at.from;
  const to = layout.draft(at.step.name, `${at.phase}.${plan.name}.parquet`, 0);
  const relations = [...at.readable, subject];
  const allow = job.allow?.functions ?? [];
  const request = { sql, relations, columns: null, order_by: [], to, allow };
  const made = await fx.engine.evaluate({ ...request, format: "parquet" });
  const wrong = problem(made.columns);
  if (wrong !== null) {
    throw new TieoutError("COLUMN_MISMATCH", {
      subject: plan.name,
      cause: wrong,
      remedy: "mend the check's SELECT so that it gives what its kind compares with",
    });
  }
  const files = [{ path: to, format: "parquet" as const }];
  return [
    ...named,
    { name: RelationRef.parse(name), columns: made.columns, files, rows: made.rows },
  ];
}
