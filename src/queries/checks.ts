import type { CheckPlan, Fault } from "../checks/check.js";
import { planChecks, planConserves } from "../checks/plan.js";
import type { Effects } from "../effects.js";
import { TieoutError } from "../model/errors.js";
import type { CheckRecord, Finding } from "../model/finding.js";
import { type ArtefactName, type Path, RelationName, RelationRef } from "../model/ids.js";
import type { Job, StepSpec } from "../model/job.js";
import type { Relation } from "../model/relation.js";

/** What all checks of one artefact gave. */
export interface Checked {
  readonly artefact: ArtefactName;
  readonly checks: readonly CheckRecord[];
  readonly findings: readonly { readonly finding: Finding; readonly failing: Failing | null }[];
}
/** The rows behind a finding: a question of ours and what it reads. */
export interface Failing {
  readonly check: string;
  readonly sql: string;
  readonly relations: readonly Relation[];
}

/** What the checks of one subject read besides it, and where their scratch goes. */
export interface Checking {
  readonly job: Job;
  /** Texts of the job's SQL files by name. */
  readonly sql: Readonly<Record<string, string>>;
  readonly step: StepSpec;
  readonly readable: readonly Relation[];
  /** A path that does not exist yet, for the result of a check's own SELECT. */
  readonly scratch: (check: string) => Path;
}

/** One check's record, and what it found when it did not pass. */
interface Ran {
  readonly check: CheckRecord;
  readonly found: Checked["findings"][number] | null;
}

/**
 * All that is checked of an artefact, in the order of its records: what its step conserves last.
 */
export function plansOf(
  artefact: ArtefactName,
  subject: Relation,
  at: Pick<Checking, "job" | "sql" | "step">,
  fx: Pick<Effects, "engine">,
): CheckPlan[] {
  const relation = RelationName.parse(subject.name);
  const about = { relation, artefact, columns: subject.columns };
  const { dialect } = fx.engine;
  const declared = planChecks(at.job.artefacts[artefact]?.checks ?? [], about, at.sql, dialect);
  const conserves = at.step.conserves ?? [];
  return conserves.length === 0
    ? declared
    : [...declared, planConserves(conserves, about, dialect)];
}

/**
 * Runs every check of an artefact over its relation; nothing stops at the first finding.
 * @throws what `runCheck` throws
 */
export async function checkArtefact(
  artefact: ArtefactName,
  subject: Relation,
  at: Checking,
  fx: Pick<Effects, "engine">,
): Promise<Checked> {
  const checks: CheckRecord[] = [];
  const findings: Checked["findings"][number][] = [];
  for (const plan of plansOf(artefact, subject, at, fx)) {
    const { check, found } = await runCheck(plan, artefact, subject, at, fx);
    checks.push(check);
    if (found !== null) findings.push(found);
  }
  return { artefact, checks, findings };
}

/**
 * @throws what the engine throws for a check's own SQL; COLUMN_MISMATCH when it gives no such
 * answer; UNKNOWN_RELATION when it reads what is not readable
 */
export async function runCheck(
  plan: CheckPlan,
  artefact: ArtefactName,
  subject: Relation,
  at: Checking,
  fx: Pick<Effects, "engine">,
): Promise<Ran> {
  const { name, kind, severity } = plan;
  const relations = [subject, ...(await readBy(plan, subject, at, fx))];
  const fault = await judge(plan, relations, fx);
  const check = { name, kind, severity, passed: fault === null, rows: fault?.rows ?? 0 };
  if (fault === null) return { check, found: null };
  const finding = { check: name, artefact, severity, ...fault, failed_rows: null };
  const failing = plan.failing === null ? null : { check: name, sql: plan.failing, relations };
  return { check, found: { finding, failing } };
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

export function hasErrors(checked: readonly Checked[]): boolean {
  return checked.some((c) => c.findings.some((f) => f.finding.severity === "error"));
}

/** What a plan reads besides its subject: relations of the run, and its own SELECT made one. */
async function readBy(
  plan: CheckPlan,
  subject: Relation,
  at: Checking,
  fx: Pick<Effects, "engine">,
): Promise<Relation[]> {
  const named = at.readable.filter((r) => plan.reads.includes(r.name));
  if (plan.foreign === null) return named;
  const { name, sql, problem } = plan.foreign;
  const to = at.scratch(plan.name);
  const relations = [...at.readable, subject];
  const allow = at.job.allow?.functions ?? [];
  const batch = `checks of ${subject.name}`;
  const request = { sql, relations, columns: null, order_by: [], to, allow, batch };
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
