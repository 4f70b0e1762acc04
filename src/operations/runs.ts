import { z } from "zod";
import { recordSuperseded } from "../acts/supersede.js";
import type { Effects } from "../effects.js";
import { fingerprint } from "../model/canonical.js";
import { EXIT, isTieout, TieoutError } from "../model/errors.js";
import { AsOf, JobName, partsOf, RunId, runId } from "../model/ids.js";
import type { LoadedJob } from "../model/job.js";
import { RunAnswer, RunsAnswer } from "../model/report.js";
import type { Committed } from "../model/run.js";
import { unknownRun } from "../queries/catalogue.js";
import { uncommittedManifests } from "../queries/claims.js";
import { committedRuns, keptText, receiptOf } from "../queries/committed.js";
import { hold } from "../stages/stage.js";
import { type Outcome, walk } from "../stages/walk.js";
import { asOfToday } from "./as-of.js";
import { datesBetween, firstExit, inTurn, nightsOf } from "./in-turn.js";
import { loadChecked } from "./load.js";
import { operation } from "./operation.js";

const inputs = z
  .string()
  .min(1)
  .optional()
  .describe("folder of the exports; {as_of} in it is the date");

export const runOperation = operation({
  name: "run",
  kind: "run",
  says:
    "Runs a job for a date: pins, computes, verifies, " +
    "seals, keeps, tears down. A committed run is repeated.",
  input: z.strictObject({
    job: JobName.describe("name of the job, a folder of the jobs' folder"),
    as_of: AsOf.optional().describe("the date that the run states, YYYY-MM-DD"),
    from: AsOf.optional().describe("first of a range of dates, run one after the other"),
    to: AsOf.optional().describe("last of the range"),
    inputs,
  }),
  output: RunsAnswer,
  positional: ["job"],
  run: async ({ job, inputs, ...dates }, desk) => {
    const loaded = await loadChecked(job, desk);
    const one = async (date: AsOf) => {
      const fx = await desk.effects(inputsFor(inputs, date));
      const stated = await statements(job, date, fx);
      const revision = partsOf(stated.at(-1) ?? runId(job, date)).revision;
      return answer(await walk(held(loaded, date, revision, null), fx), fx);
    };
    const range = rangeOf(dates);
    if (range === null)
      return one(dates.as_of ?? asOfToday(loaded.job, (await desk.effects()).clock));
    const answers = await inTurn(range, (date) => date, one);
    const last = answers.at(-1);
    if (last === undefined) throw new Error("a range has a date");
    return { ...last, nights: nightsOf(answers) };
  },
  exit: (output) => (output.nights === undefined ? output.exit : firstExit(output.nights)),
});

type Dates = Readonly<Partial<Record<"as_of" | "from" | "to", AsOf | undefined>>>;

/** The dates of a range; null when a single one is meant. @throws USAGE */
function rangeOf(dates: Dates): AsOf[] | null {
  const { as_of, from, to } = dates;
  if (from === undefined && to === undefined) return null;
  if (from !== undefined && to !== undefined && as_of === undefined) return datesBetween(from, to);
  throw new TieoutError("USAGE", {
    subject: "run",
    cause: "a range of dates has a first and a last, and no other date",
    remedy: "use --from <date> --to <date>, or --as-of <date> alone",
  });
}

/** Where a night's exports lie: each night may have a folder of its own. */
export function inputsFor(inputs: string | undefined, as_of: AsOf): string | undefined {
  return inputs?.replaceAll("{as_of}", as_of);
}

export const restateOperation = operation({
  name: "restate",
  kind: "run",
  says:
    "States a committed run anew, from today's exports " +
    "and job, as its next revision; nothing is deleted.",
  input: z.strictObject({
    run: RunId.describe("the run to supersede"),
    reason: z
      .string()
      .trim()
      .min(3, "a reason is a few words")
      .max(500)
      .describe("why; it is kept in the manifest"),
    inputs,
  }),
  output: RunAnswer,
  positional: ["run"],
  run: async ({ run, reason, inputs }, desk) => {
    const { job, as_of } = partsOf(run);
    const fx = await desk.effects(inputsFor(inputs, as_of));
    const stated = await statements(job, as_of, fx);
    if (!stated.includes(run)) throw unknownRun(run, await committedRuns(job, fx));
    const latest = stated.at(-1) ?? run;
    if (latest !== run) throw superseded(run, latest);
    return restated(run, reason, await loadChecked(job, desk), fx);
  },
  exit: (output) => output.exit,
});

/** The next revision of a run that is the latest of its date. */
export async function restated(
  run: RunId,
  reason: string,
  loaded: LoadedJob,
  fx: Effects,
): Promise<RunAnswer> {
  const { as_of, revision } = partsOf(run);
  const next = held(loaded, as_of, revision + 1, { run_id: run, reason });
  return answer(await walk(next, fx), fx);
}

/** The committed runs of a job for a date: its first statement, then its revisions in order. */
async function statements(job: JobName, as_of: AsOf, fx: Effects): Promise<RunId[]> {
  return (await committedRuns(job, fx)).filter((run) => partsOf(run).as_of === as_of);
}

function held(
  loaded: LoadedJob,
  as_of: AsOf,
  revision: number,
  supersedes: { run_id: RunId; reason: string } | null,
) {
  const run_id = runId(loaded.job.job, as_of, revision);
  return hold({ ...loaded, run_id, as_of, job_sha256: fingerprint(loaded), supersedes });
}

async function answer(outcome: Outcome, fx: Effects): Promise<RunAnswer> {
  const { run, repeated } = outcome;
  const pending = [
    ...outcome.shares
      .filter((s) => s.state === "pending")
      .map((s) => `share of ${s.artefact} with ${s.destination}: ${s.why}`),
    ...told("supersede", await superseding(run, fx)),
    ...told("teardown", outcome.pending),
  ];
  const { manifest, commit } = run;
  const summary = receiptOf(run, "summary.md");
  return {
    run_id: run.run_id,
    attempt: commit.attempt,
    repeated,
    supersedes: manifest.supersedes,
    uncommitted: await uncommittedManifests(run.run_id, commit.attempt, fx),
    outcome: manifest.outcome,
    exit: pending.length === 0 ? outcome.exit : EXIT.PENDING,
    pending: pending.length === 0 ? null : pending.join("; "),
    shares: [...outcome.shares],
    previous: manifest.previous.map(({ name, run_id, rows }) => ({ name, run_id, rows })),
    inputs: manifest.inputs.map(({ name, rows, rejected, skipped }) => ({
      name,
      rows,
      rejected,
      skipped,
    })),
    artefacts: manifest.artefacts.map((a) => {
      const { key, version, size_bytes } = receiptOf(run, a.path);
      return { path: a.path, key, version, rows: a.rows, size_bytes, sha256: a.sha256 };
    }),
    figures: manifest.figures,
    findings: manifest.findings,
    discarded: manifest.discarded.map(({ path, rows }) => ({ path, rows })),
    summary: await keptText(summary, fx),
    manifest: commit.manifest,
  };
}

function told(what: string, trouble: TieoutError | null): string[] {
  return trouble === null ? [] : [`${what}: ${trouble.message}`];
}

/** Nothing that happens after the commit undoes a run; the id run again does what is left. */
async function superseding(run: Committed, fx: Effects): Promise<TieoutError | null> {
  try {
    await recordSuperseded(run.manifest, fx);
    return null;
  } catch (e) {
    if (isTieout(e) && e.code !== "DAMAGED") return e;
    throw e;
  }
}

function superseded(run: RunId, latest: RunId): TieoutError {
  return new TieoutError("USAGE", {
    subject: run,
    cause: `it was superseded by ${latest}`,
    remedy: `restate ${latest}, which is the latest statement of that date`,
  });
}
