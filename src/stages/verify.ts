import type { Effects } from "../effects.js";
import { TieoutError } from "../model/errors.js";
import { type CheckRecord, ChecksFailed } from "../model/finding.js";
import { type SealedFile, VerifyRecord } from "../model/records.js";
import type { Relation } from "../model/relation.js";
import { stepRelation } from "../model/relations.js";
import type { Computed } from "../model/run.js";
import { type Checked, checkArtefact, hasErrors } from "../queries/checks.js";
import { checkingOf, keepFailingRows } from "./checking.js";
import type { Stage } from "./stage.js";

/**
 * All checks again, over the sealed bytes, all findings at once; nothing here goes back to compute.
 * Also: every sealed file still has its hash (I003) and the counts of every input and of every step
 * that declares `conserves` add up (I007).
 * @throws DAMAGED, INPUT_COUNT, ChecksFailed
 */
export const verify: Stage<"computed", VerifyRecord, "verified"> = {
  name: "verify",
  record: VerifyRecord,

  async run(from, fx) {
    for (const file of reliedOn(from)) await assertSealed(file, from, fx);
    for (const input of from.inputs) assertConserved(input);
    const checked = await checkAll(from, fx);
    const { findings, files, evidence } = await keepFailingRows(checked, from, fx);
    if (hasErrors(checked)) throw new ChecksFailed(findings, evidence);
    return { checks: byArtefact(checked), findings, failed_rows: files };
  },

  prove: async (from, record) => ({
    ...from,
    checks: record.checks,
    findings: record.findings,
    failed_rows: record.failed_rows,
  }),

  journal: (from) => from.layout.journal,
};

async function checkAll(from: Computed, fx: Effects): Promise<Checked[]> {
  const all: Checked[] = [];
  let rows = 0;
  for (const [i, record] of from.steps.entries()) {
    const step = from.job.steps[i];
    if (step === undefined) continue;
    fx.progress.stage("verify", record.file.name, i, from.steps.length, { rows });
    rows += record.rows;
    const at = checkingOf("sealed", step, readableBefore(i, from), from);
    const subject = stepRelation(record, from.layout);
    all.push(await checkArtefact(record.file.name, subject, at, fx));
  }
  return all;
}

function readableBefore(i: number, from: Computed): Relation[] {
  return [...from.relations, ...from.steps.slice(0, i).map((s) => stepRelation(s, from.layout))];
}

/**
 * What was read since it was sealed. Pinned exports and rejects are not among it: they are hashed
 * again as they go to the store.
 */
function reliedOn(from: Computed): SealedFile[] {
  const previous = from.previous.map((p) => p.from);
  const made = from.steps.flatMap((s) => [s.file, s.twin]);
  return [...previous, ...made].filter((f) => f !== null);
}

async function assertSealed(file: SealedFile, from: Computed, fx: Effects): Promise<void> {
  const now = await fx.folder.hash(from.layout.at(file.path));
  if (now.sha256 === file.sha256) return;
  throw new TieoutError("DAMAGED", {
    subject: file.path,
    cause: "its bytes are not those that were sealed",
    remedy: "run the id again: a new attempt makes the file anew",
  });
}

function assertConserved(input: Computed["inputs"][number]): void {
  const sum = input.rows + input.rejected + input.skipped;
  if (sum === input.records) return;
  throw new TieoutError("INPUT_COUNT", {
    subject: input.name,
    cause:
      `${input.rows} rows + ${input.rejected} rejects + ${input.skipped} ` +
      `skips are not the ${input.records} records counted`,
    remedy: "report this with the input's dialect: no export should be able to cause it",
    at: {
      rows: input.rows,
      rejected: input.rejected,
      skipped: input.skipped,
      records: input.records,
    },
  });
}

function byArtefact(checked: readonly Checked[]): Record<string, CheckRecord[]> {
  return Object.fromEntries(checked.map((c) => [c.artefact, [...c.checks]]));
}
