import type { Effects } from "../effects.js";
import type { Finding } from "../model/finding.js";
import type { ArtefactName, Path } from "../model/ids.js";
import { type StepSpec, stepOf } from "../model/job.js";
import { relativeTo } from "../model/layout.js";
import type { SealedFile } from "../model/records.js";
import type { Relation, Table } from "../model/relation.js";
import type { Pinned } from "../model/run.js";
import type { Checked, Checking, Failing } from "../queries/checks.js";

/** How many failing rows a person is shown; all of them are in the file. */
const EVIDENCE_ROWS = 5;

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

/**
 * Failing rows in full to `records/checks/<name>.failed.csv`, sealed; findings then say where they
 * are.
 */
export async function keepFailingRows(
  checked: readonly Checked[],
  from: Pinned,
  fx: Effects,
): Promise<{ findings: Finding[]; files: SealedFile[]; evidence: Map<string, Table> }> {
  const findings: Finding[] = [];
  const files: SealedFile[] = [];
  const evidence = new Map<string, Table>();
  for (const { artefact, findings: found } of checked) {
    for (const { finding, failing } of found) {
      const file = failing === null ? null : await renderFailing(failing, artefact, from, fx);
      if (file !== null) files.push(file);
      if (failing !== null) evidence.set(finding.check, await firstRows(failing, fx));
      findings.push({ ...finding, failed_rows: file?.path ?? null });
    }
  }
  return { findings, files, evidence };
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

function firstRows({ sql, relations }: Failing, fx: Effects): Promise<Table> {
  return fx.engine.ask({ sql, params: [], relations, limit: EVIDENCE_ROWS });
}
