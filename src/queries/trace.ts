import type { Effects } from "../effects.js";
import { heldOf, purgedOf } from "../model/act.js";
import { nearest, TieoutError } from "../model/errors.js";
import type { RunId } from "../model/ids.js";
import { partsOf } from "../model/ids.js";
import type { Figure, Manifest } from "../model/manifest.js";
import type { TraceAnswer } from "../model/report.js";
import type { Committed } from "../model/run.js";
import { unknownRun } from "./catalogue.js";
import { whyOutdated } from "./chain.js";
import { committedRuns, keptText, readCommitted, receiptOf } from "./committed.js";
import { keptUntil, retentionOf } from "./kept.js";
import { readLedger } from "./ledger.js";
import { objectsOf } from "./references.js";

/**
 * From a figure or an artefact of a committed run to the file, the SQL that made it, and every
 * source that the SQL reads, directly or through earlier steps.
 * @param of - the name of a figure or of an artefact; null lists what can be traced
 * @throws UNKNOWN_RUN, UNKNOWN_RELATION with the nearest name, DAMAGED
 */
export async function trace(run_id: RunId, of: string | null, fx: Effects): Promise<TraceAnswer> {
  const run = await readCommitted(run_id, fx);
  if (run === null) throw unknownRun(run_id, await committedRuns(partsOf(run_id).job, fx));
  const outdated = await whyOutdated(run_id, fx);
  if (of === null) return traceable(run, outdated);
  const { manifest } = run;
  const figure = manifest.figures.find((f) => f.name === of) ?? null;
  const artefact = manifest.artefacts.find((a) => a.path === (figure?.artefact ?? of));
  if (artefact === undefined) throw unknownName(of, manifest);
  const { steps, sources } = lineage(artefact.relation, manifest);
  const previous = manifest.previous.filter((p) => sources.has(`previous.${p.name}`));
  return {
    run_id,
    outdated,
    manifest: run.commit.manifest,
    figure,
    artefact: { ...located(artefact, run), ...(await keptSince(artefact.path, run, fx)) },
    steps: await Promise.all(steps.map((s) => withSql(s, run, fx))),
    inputs: manifest.inputs
      .filter((i) => sources.has(i.name) || sources.has(`${i.name}_rejects`))
      .map(({ name, rows, rejected, skipped, files }) => ({
        name,
        rows,
        rejected,
        skipped,
        files,
      })),
    previous: previous.map(({ name, run_id, key, sha256 }) => ({ name, run_id, key, sha256 })),
  };
}

function traceable({ run_id, commit, manifest }: Committed, outdated: string | null): TraceAnswer {
  const artefacts = manifest.artefacts.map(({ path, rows, sha256 }) => ({ path, rows, sha256 }));
  return {
    run_id,
    outdated,
    manifest: commit.manifest,
    traceable: { figures: manifest.figures, artefacts },
    figure: null,
    artefact: null,
    steps: [],
    inputs: [],
    previous: [],
  };
}

type Step = Manifest["steps"][number];

/**
 * The step of a relation and all steps that it reads, nearest first; what no step makes is a
 * source.
 */
function lineage(relation: string, manifest: Manifest): { steps: Step[]; sources: Set<string> } {
  const steps: Step[] = [];
  const sources = new Set<string>();
  const queue = [relation];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const step = manifest.steps.find((s) => s.name === name);
    if (step === undefined) sources.add(name);
    else if (!steps.includes(step)) {
      steps.push(step);
      queue.push(...step.reads);
    }
  }
  return { steps, sources };
}

async function withSql(
  step: Step,
  run: Committed,
  fx: Effects,
): Promise<TraceAnswer["steps"][number]> {
  const sql = await keptText(receiptOf(run, step.sql), fx);
  return { name: step.name, by: step.by, sql, sql_sha256: step.sql_sha256, reads: step.reads };
}

/** What became of an artefact after its run. */
async function keptSince(path: string, run: Committed, fx: Effects) {
  const acts = await readLedger(run, fx);
  const object = objectsOf(run).find((o) => o.path === path);
  if (object === undefined) throw new Error(`the receipts do not name ${path}`);
  const told = await retentionOf(object.doc, fx);
  return {
    kept_until: keptUntil(object, acts, told),
    mode: told?.mode ?? null,
    held: heldOf(acts) !== null,
    purged: purgedOf(acts).get(path)?.at ?? null,
  };
}

function located(a: Manifest["artefacts"][number], run: Committed) {
  const { key, version } = receiptOf(run, a.path);
  return {
    path: a.path,
    key,
    version,
    sha256: a.sha256,
    size_bytes: a.size_bytes,
    rows: a.rows,
    checks_passed: a.checks.filter((c) => c.passed).length,
    checks_total: a.checks.length,
    retain_until: a.retain_until,
  };
}

function unknownName(of: string, manifest: Manifest): TieoutError {
  const names = [
    ...manifest.figures.map((f: Figure) => f.name),
    ...manifest.artefacts.map((a) => a.path),
  ];
  return new TieoutError("UNKNOWN_RELATION", {
    subject: of,
    cause: `${manifest.run_id} has no figure and no artefact of that name`,
    remedy: `trace ${nearest(of, names) ?? `one of ${names.join(", ")}`}`,
  });
}
