import type { StepDesk } from "../agents/agent.js";
import type { Effects } from "../effects.js";
import { sha256Of } from "../model/canonical.js";
import type { ComputeAnswer, ComputeInput } from "../model/compute.js";
import { TieoutError } from "../model/errors.js";
import { RelationName, RelationRef } from "../model/ids.js";
import { fileOf, type StepSpec } from "../model/job.js";
import { relativeTo } from "../model/layout.js";
import type { RelationSummary } from "../model/read.js";
import type { ComputeRecord } from "../model/records.js";
import type { Relation } from "../model/relation.js";
import { checkArtefact, hasErrors } from "../queries/checks.js";
import { head } from "../queries/head.js";
import { checkingOf } from "./checking.js";
import { append } from "./journal.js";
import { type Bench, type Draft, makeDraft } from "./step.js";
import { controlTotals } from "./totals.js";

/** How much scratch an agent may leave behind in one step. */
const SCRATCH_MAX = 50;
const FIRST_ROWS = 5;

type Scratch = ComputeRecord["drafts"][number];

/**
 * Holds the live run open for an agent step until `finish` is accepted: drafts as often as needed,
 * scratch under names that code chooses. Only the last draft is returned to be sealed; the hash of
 * every earlier one is in the journal.
 * @throws NOT_FINISHED when the agent stopped without an accepted `finish`
 */
export async function openDesk(
  step: StepSpec,
  bench: Bench,
  fx: Effects,
): Promise<{ readonly draft: Draft; readonly scratch: Scratch[] }> {
  if (fx.agent === null) throw unattended(step);
  const scratch: Scratch[] = [];
  const extra: Relation[] = [];
  let draft: Draft | null = null;
  let finished = false;
  let finishes = 0;
  const readable = (): Relation[] => [
    ...bench.relations,
    ...extra,
    ...(draft ? [draft.relation] : []),
  ];
  const open = <T>(work: () => Promise<T>): Promise<T> =>
    finished ? Promise.reject(over(step)) : work();

  const desk: StepDesk = {
    run_id: bench.from.run_id,
    step,
    relations: readable,
    kindOf: (name) => kindOf(name, step, bench),
    engine: fx.engine,
    finished: () => finished,
    compute: (input) =>
      open(async () => {
        if (input.target === undefined) {
          const made = await makeScratch(
            input,
            scratch.length + 1,
            step,
            { ...bench, relations: readable() },
            fx,
          );
          scratch.push(made.record);
          extra.push(made.relation);
          return answer(made.relation, 1, null, fx);
        }
        assertDeclared(input.target, step);
        const next = await makeDraft(
          step,
          input.sql,
          (draft?.k ?? 0) + 1,
          { ...bench, relations: [...bench.relations, ...extra] },
          fx,
        );
        const before = draft;
        draft = next;
        const change = await journalDraft(step, next, before, bench, fx);
        return { ...(await answer(next.relation, next.k, change, fx)), file: fileOf(step).name };
      }),
    finish: () =>
      open(async () => {
        if (draft === null) throw nothingMade(step);
        const readable = [...bench.relations, ...extra];
        const at = checkingOf(`finish${++finishes}`, step, readable, bench.from);
        const checked = await checkArtefact(fileOf(step).name, draft.relation, at, fx);
        finished = !hasErrors([checked]);
        return { finished, findings: checked.findings.map((f) => f.finding) };
      }),
  };
  await fx.agent.work(desk);
  if (!finished || draft === null) throw nothingMade(step);
  return { draft, scratch };
}

function kindOf(ref: RelationRef, step: StepSpec, bench: Bench): RelationSummary["kind"] {
  const { job, relations } = bench.from;
  const name: string = ref;
  if (name === step.name) return "draft";
  if (Object.hasOwn(job.inputs, name)) return "input";
  if (name.startsWith("previous.")) return "previous";
  if (relations.some((r) => r.name === ref)) return "rejects";
  return bench.sealed.find((s): boolean => s.name === name)?.kind ?? "scratch";
}

async function makeScratch(
  input: ComputeInput,
  n: number,
  step: StepSpec,
  bench: Bench,
  fx: Effects,
) {
  if (n > SCRATCH_MAX) {
    throw new TieoutError("REFUSED", {
      subject: step.name,
      cause: `this step already has ${SCRATCH_MAX} scratch results`,
      remedy:
        `give target: "${fileOf(step).name}" to make ` +
        `a draft, or read one of q01 … q${SCRATCH_MAX}`,
    });
  }
  const name = RelationName.parse(`q${String(n).padStart(2, "0")}`);
  const { layout, job } = bench.from;
  const to = layout.draft(step.name, `${name}.parquet`, 0);
  const allow = job.allow?.functions ?? [];
  const made = await fx.engine.evaluate({
    sql: input.sql,
    relations: bench.relations,
    columns: null,
    order_by: [],
    to,
    format: "parquet",
    allow,
  });
  const columns = [...made.columns];
  const relation: Relation = {
    name: RelationRef.parse(name),
    columns,
    files: [{ path: to, format: "parquet" }],
    rows: made.rows,
  };
  const record = {
    name,
    path: relativeTo(layout, to),
    ...(await fx.folder.hash(to)),
    rows: made.rows,
    columns,
    sql_sha256: sha256Of(input.sql),
  };
  await append(layout.journal, "scratch", record, fx);
  return { relation, record };
}

async function journalDraft(
  step: StepSpec,
  next: Draft,
  before: Draft | null,
  bench: Bench,
  fx: Effects,
) {
  const now = await fx.folder.hash(next.path);
  const then = before === null ? null : await fx.folder.hash(before.path);
  const record = {
    step: step.name,
    draft: next.k,
    ...now,
    rows: next.relation.rows,
    sql_sha256: sha256Of(next.sql),
  };
  await append(bench.from.layout.journal, "draft", record, fx);
  return before === null
    ? null
    : { rows_before: before.relation.rows, same_bytes: then?.sha256 === now.sha256 };
}

async function answer(
  relation: Relation,
  draft: number,
  changed: ComputeAnswer["changed"] | null,
  fx: Effects,
): Promise<ComputeAnswer> {
  const first = await head(
    relation,
    { relation: relation.name, n: FIRST_ROWS },
    { engine: fx.engine, tag: "" },
  );
  return {
    relation: RelationName.parse(relation.name),
    draft,
    rows: relation.rows,
    columns: [...relation.columns],
    control_totals: await controlTotals(relation, fx),
    first_rows: first.rows.map((r) => [...r]),
    ...(changed ? { changed } : {}),
  };
}

function assertDeclared(target: string, step: StepSpec): void {
  const { name } = fileOf(step);
  if (target === name) return;
  throw new TieoutError("REFUSED", {
    subject: target,
    cause: `this step does not declare a file of that name`,
    remedy: `give target: "${name}", the only file of step ${step.name}, or no target for scratch`,
  });
}

function nothingMade(step: StepSpec): TieoutError {
  return new TieoutError("NOT_FINISHED", {
    subject: step.name,
    cause: `the step has no accepted ${fileOf(step).name}`,
    remedy: `compute with target: "${fileOf(step).name}", then finish until no finding is an error`,
  });
}

function over(step: StepSpec): TieoutError {
  return new TieoutError("REFUSED", {
    subject: step.name,
    cause: "the step is finished and its file is sealed",
    remedy: "read the file by its relation; a change needs a restatement of the run",
  });
}

function unattended(step: StepSpec): TieoutError {
  return new TieoutError("NOT_FINISHED", {
    subject: step.name,
    cause: "the step is done by an agent and none is attached to this run",
    remedy: "run the job through the library with an agent, or give the step an SQL file",
  });
}
