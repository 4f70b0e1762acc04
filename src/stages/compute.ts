import type { Effects } from "../effects.js";
import { ChecksFailed } from "../model/finding.js";
import { fileOf, type StepSpec } from "../model/job.js";
import type { Amount } from "../model/progress.js";
import { ComputeRecord, type StepRecord } from "../model/records.js";
import { type Checked, checkArtefact, hasErrors } from "../queries/checks.js";
import { checkingOf, keepFailingRows } from "./checking.js";
import { openDesk } from "./desk.js";
import type { Stage, State } from "./stage.js";
import { adopt, type Bench, benchAfter, type Draft, makeDraft, sealStep } from "./step.js";

/**
 * Each step: a SELECT evaluated into a draft, checked, sealed. A step of an earlier attempt with
 * the same fingerprint is adopted instead. A draft that fails its checks is not sealed; later steps
 * still read it, so that one run tells all findings.
 * @throws ChecksFailed with the findings of all steps; NOT_FINISHED for an agent step left open
 */
export const compute: Stage<"pinned", ComputeRecord, "computed"> = {
  name: "compute",
  record: ComputeRecord,

  async run(from, fx) {
    let bench: Bench = { from, relations: from.relations, sealed: [] };
    const failed: Checked[] = [];
    const drafts: ComputeRecord["drafts"] = [];
    for (const [i, step] of from.job.steps.entries()) {
      fx.progress.stage("compute", step.name, i, from.job.steps.length, amountOf(bench.sealed));
      const done = await doStep(i + 1, step, bench, drafts, fx);
      if ("record" in done) bench = benchAfter(bench, done.record);
      else {
        bench = { ...bench, relations: [...bench.relations, done.draft.relation] };
        failed.push(done.checked);
      }
    }
    if (failed.length > 0) await fail(failed, from, fx);
    return { steps: [...bench.sealed], drafts };
  },

  prove: async (from, record) => ({ ...from, steps: record.steps, drafts: record.drafts }),

  journal: (from) => from.layout.journal,
};

function amountOf(steps: readonly StepRecord[]): Amount {
  const rows = steps.reduce((sum, s) => sum + s.rows, 0);
  return { rows, size_bytes: steps.reduce((sum, s) => sum + s.file.size_bytes, 0) };
}

type Done = { readonly record: StepRecord } | { readonly draft: Draft; readonly checked: Checked };

async function doStep(
  n: number,
  step: StepSpec,
  bench: Bench,
  drafts: ComputeRecord["drafts"],
  fx: Effects,
): Promise<Done> {
  if (step.agent !== undefined) {
    const { draft, scratch } = await openDesk(step, bench, fx);
    drafts.push(...scratch);
    return { record: await sealStep(n, step, draft, "agent", bench, fx) };
  }
  const sql = bench.from.sql[step.sql ?? ""];
  if (sql === undefined) throw new Error(`step ${step.name} has no SQL; the job was not loaded`);
  const adopted = await adopt(n, step, sql, bench, fx);
  if (adopted !== null) return { record: adopted };
  const draft = await makeDraft(step, sql, 1, bench, fx);
  const checked = await checkDraft(step, draft, bench, fx);
  if (hasErrors([checked])) return { draft, checked };
  return { record: await sealStep(n, step, draft, "sql", bench, fx) };
}

/** The findings of a draft; scratch declares no checks but may say what it conserves. */
function checkDraft(step: StepSpec, draft: Draft, bench: Bench, fx: Effects): Promise<Checked> {
  const at = checkingOf(`draft${draft.k}`, step, bench.relations, bench.from);
  return checkArtefact(fileOf(step).name, draft.relation, at, fx);
}

async function fail(
  failed: readonly Checked[],
  from: State<"pinned">,
  fx: Effects,
): Promise<never> {
  const kept = await keepFailingRows(failed, from, fx);
  throw new ChecksFailed(kept.findings, kept.evidence);
}
