import type { CheckPlan } from "../checks/check.js";
import type { Effects } from "../effects.js";
import { canonicalJson } from "../model/canonical.js";
import { isTieout } from "../model/errors.js";
import type { CheckRecord } from "../model/finding.js";
import { type Path, RelationRef } from "../model/ids.js";
import { fileOf, formatOf, type LoadedJob, stepOf } from "../model/job.js";
import type { Manifest } from "../model/manifest.js";
import type { Relation } from "../model/relation.js";
import type { Breach, RecheckAnswer } from "../model/report.js";
import type { Committed } from "../model/run.js";
import { committedCatalogue } from "./catalogue-committed.js";
import { type Checking, plansOf, runCheck } from "./checks.js";
import { keptJob } from "./committed.js";
import { computeFigure } from "./figures.js";
import { isFinding, remake } from "./remake.js";

type Artefact = Manifest["artefacts"][number];

interface Again {
  readonly breaches: Breach[];
  readonly counts: Pick<
    RecheckAnswer,
    "files_made_again" | "not_made_again" | "checks_run" | "checks_not_run" | "figures_computed"
  >;
}

/**
 * Files, counts, checks and figures of a committed run once more, from the objects as they were
 * fetched. Discarded scratch is made again for the checks that read it; what cannot be made or run,
 * since an input was not kept, is named.
 * @param paths - whole objects by the manifest's path; artefacts that are not among them are passed
 * over
 */
export async function recompute(
  run: Committed,
  paths: ReadonlyMap<string, Path>,
  scratch: (n: number) => Path,
  fx: Effects,
): Promise<Again> {
  const loaded = await keptJob(run, fx);
  const relations = new Map<string, Relation>();
  for (const a of run.manifest.artefacts) {
    const path = paths.get((a.twin ?? a).path);
    if (path !== undefined) relations.set(a.path, artefactRelation(a, path));
  }
  const kept = [...(await keptSources(run, fx)), ...relations.values()];
  let n = 0;
  const next = () => scratch(n++);
  const remade = await remake({ manifest: run.manifest, job: loaded.job, paths, next }, kept, fx);
  const readable = [...kept, ...remade.scratch];
  const breaches: Breach[] = [...remade.breaches];
  const not_run: string[] = [];
  let checks_run = 0;
  for (const artefact of run.manifest.artefacts) {
    const subject = relations.get(artefact.path);
    if (subject === undefined) continue;
    breaches.push(
      ...(await recount(subject, artefact, fx)),
      ...(await reopen(artefact, subject, paths, loaded, fx)),
    );
    const checked = await recheckArtefact(artefact, subject, readable, loaded, next, fx);
    not_run.push(...checked.not_run);
    checks_run += checked.ran;
    breaches.push(...checked.breaches);
  }
  const figures = await refigure(run, relations, loaded, fx);
  const counts = {
    files_made_again: remade.files,
    not_made_again: [...remade.not_made],
    checks_run,
    checks_not_run: not_run,
    figures_computed: figures.computed,
  };
  return { breaches: [...breaches, ...figures.breaches], counts };
}

/** Inputs and previous artefacts that were kept: what a check's own SELECT may read. */
async function keptSources(run: Committed, fx: Effects): Promise<Relation[]> {
  const kinds = ["input", "rejects", "previous"];
  const entries = committedCatalogue(run, fx).entries.filter((e) => kinds.includes(e.kind));
  const found: Relation[] = [];
  for (const entry of entries) {
    const relation = await openQuietly(entry.open);
    if (relation !== null) found.push(relation);
  }
  return found;
}

/** A source that is damaged or purged is reported where its bytes are read, and is not there. */
async function openQuietly(open: (() => Promise<Relation>) | null): Promise<Relation | null> {
  try {
    return open === null ? null : await open();
  } catch (e) {
    if (isTieout(e) && ["DAMAGED", "STORE", "NOT_KEPT"].includes(e.code)) return null;
    throw e;
  }
}

function artefactRelation(a: Artefact, path: Path): Relation {
  const format = a.twin === null && formatOf(a.path) === "csv" ? "csv" : "parquet";
  return {
    name: RelationRef.parse(a.relation),
    columns: a.columns,
    files: [{ path, format }],
    rows: a.rows,
  };
}

async function recount(subject: Relation, artefact: Artefact, fx: Effects): Promise<Breach[]> {
  const sql = `SELECT count(*) AS n FROM ${fx.engine.dialect.from(subject.name)}`;
  const table = await fx.engine.ask({ sql, params: [], relations: [subject], limit: 1 });
  const counted = Number(table.rows[0]?.[0]);
  if (counted === artefact.rows) return [];
  const message = `the manifest says ${artefact.rows} rows and the file holds ${counted}`;
  return [{ invariant: "I005", subject: artefact.path, message }];
}

/** A workbook still shows its twin, cell by cell. */
async function reopen(
  artefact: Artefact,
  twin: Relation,
  paths: ReadonlyMap<string, Path>,
  loaded: LoadedJob,
  fx: Effects,
): Promise<Breach[]> {
  const to = paths.get(artefact.path);
  if (artefact.twin === null || to === undefined) return [];
  const step = stepOf(loaded.job, artefact.path);
  const title = loaded.job.artefacts[fileOf(step).name]?.title ?? step.name;
  try {
    await fx.writer.prove({ twin, title, to }, fx.engine);
    return [];
  } catch (e) {
    if (!isFinding(e)) throw e;
    return [{ invariant: "I005", subject: artefact.path, message: e.message }];
  }
}

interface Rechecked {
  readonly ran: number;
  readonly not_run: readonly string[];
  readonly breaches: readonly Breach[];
}

/**
 * Each check by itself: one that reads what was discarded does not keep the others from running.
 */
async function recheckArtefact(
  artefact: Artefact,
  subject: Relation,
  readable: readonly Relation[],
  loaded: LoadedJob,
  scratch: () => Path,
  fx: Effects,
): Promise<Rechecked> {
  const others = readable.filter((r) => r.name !== subject.name);
  const step = stepOf(loaded.job, artefact.path);
  const at = { job: loaded.job, sql: loaded.sql, step, readable: others, scratch };
  const not_run: string[] = [];
  const breaches: Breach[] = [];
  let ran = 0;
  for (const plan of plansOf(artefact.path, subject, at, fx)) {
    const check = await runKnown(plan, artefact.path, subject, at, fx);
    if (typeof check === "string") not_run.push(`${plan.name}: ${check}`);
    else {
      ran += 1;
      breaches.push(...judgedAnew(check, artefact));
    }
  }
  return { ran, not_run, breaches };
}

/** The check's record, or why it cannot run: what it reads was not kept. */
async function runKnown(
  plan: CheckPlan,
  artefact: Artefact["path"],
  subject: Relation,
  at: Checking,
  fx: Effects,
): Promise<CheckRecord | string> {
  const known = new Set(at.readable.map((r) => r.name));
  const lost = plan.reads.find((name) => !known.has(name));
  if (lost !== undefined) return `${lost} was not kept`;
  try {
    return (await runCheck(plan, artefact, subject, at, fx)).check;
  } catch (e) {
    if (isTieout(e, "UNKNOWN_RELATION")) return `of what was kept, ${e.message}`;
    throw e;
  }
}

function judgedAnew(now: CheckRecord, artefact: Artefact): Breach[] {
  const then = artefact.checks.find((c) => c.name === now.name);
  if (then?.passed === now.passed && then.rows === now.rows) return [];
  const message = `${now.name} ${now.passed ? "passes" : "fails"} now, other than at first`;
  return [{ invariant: "I005", subject: artefact.path, message }];
}

async function refigure(
  run: Committed,
  relations: ReadonlyMap<string, Relation>,
  loaded: LoadedJob,
  fx: Effects,
): Promise<{ computed: number; breaches: Breach[] }> {
  const breaches: Breach[] = [];
  let computed = 0;
  for (const figure of run.manifest.figures) {
    const spec = loaded.job.figures?.[figure.name];
    const relation = relations.get(figure.artefact);
    if (relation === undefined) continue;
    const now = spec && (await computeFigure(figure.name, spec, relation, loaded.job, fx));
    computed += 1;
    if (now !== undefined && canonicalJson(now) === canonicalJson(figure)) continue;
    const message = "computed again from its artefact, it has another value";
    breaches.push({ invariant: "I012", subject: figure.name, message });
  }
  return { computed, breaches };
}
