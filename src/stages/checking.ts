import type { Effects } from "../effects.js";
import { TieoutError } from "../model/errors.js";
import type { Finding } from "../model/finding.js";
import type { ArtefactName, Path } from "../model/ids.js";
import { type StepSpec, stepOf } from "../model/job.js";
import { relativeTo } from "../model/layout.js";
import type { SealedFile } from "../model/records.js";
import type { Relation } from "../model/relation.js";
import type { Pinned } from "../model/run.js";
import type { Checked, Checking, Failing } from "../queries/checks.js";

/** What the checks of a step's file may read, and where their scratch goes in this attempt. */
export function checkingOf(
  phase: string,
  step: StepSpec,
  readable: readonly Relation[],
  from: Pinned,
): Checking {
  const scratch = (check: string): Path =>
    from.layout.draft(step.name, `${phase}.${check}.parquet`, 0);
  return { job: from.job, sql: from.sql, step, readable, scratch };
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

/**
 * Failing rows in full to `records/checks/<name>.failed.csv`, sealed; findings then say where they
 * are.
 */
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
