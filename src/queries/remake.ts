import type { Effects } from "../effects.js";
import { canonicalJson } from "../model/canonical.js";
import { declaredColumns } from "../model/declared.js";
import { type Code, isTieout, type TieoutError } from "../model/errors.js";
import { type Path, RelationRef } from "../model/ids.js";
import { fileOf, formatOf, type Job, orderOf, stepOf } from "../model/job.js";
import type { Manifest } from "../model/manifest.js";
import type { Relation } from "../model/relation.js";
import type { Breach } from "../model/report.js";

type Step = Manifest["steps"][number];

/** What the machine or the store lacked: it says nothing of the run, and the next try may pass. */
const TROUBLES: readonly Code[] = [
  "TIMEOUT",
  "MEMORY",
  "DISK",
  "DISK_FULL",
  "UNKNOWN",
  "STORE",
  "INTERRUPTED",
];

/** Whether an error of a step, a check or a workbook made again tells something of the run. */
export function isFinding(e: unknown): e is TieoutError {
  return isTieout(e) && !TROUBLES.includes(e.code);
}

/** What the steps of a run give when their kept SQL runs again. */
export interface Remade {
  /** Discarded scratch, as it was. */
  readonly scratch: readonly Relation[];
  /** Files, scratch included, that came out byte for byte. */
  readonly files: number;
  /** Steps that could not run again, or not to be compared by bytes, each with its reason. */
  readonly not_made: readonly string[];
  readonly breaches: readonly Breach[];
}

interface Place {
  readonly manifest: Manifest;
  readonly job: Job;
  /** Whole kept objects by the manifest's path. */
  readonly paths: ReadonlyMap<string, Path>;
  readonly next: () => Path;
}

/**
 * Runs the kept SQL of every step over what was kept and what was made before it, and compares the
 * bytes with the manifest's (I010). Other bytes by other versions are no breach when the rows are
 * as many, and are named. Files are left at `next`'s paths.
 * @param kept - inputs, previous artefacts and artefacts that can be read
 * @throws TIMEOUT, MEMORY, DISK, DISK_FULL, UNKNOWN, INTERRUPTED: nothing is then said of the run
 */
export async function remake(
  place: Place,
  kept: readonly Relation[],
  fx: Pick<Effects, "engine" | "folder" | "versions">,
): Promise<Remade> {
  const scratch: Relation[] = [];
  const not_made: string[] = [];
  const breaches: Breach[] = [];
  let files = 0;
  for (const step of place.manifest.steps) {
    const made = await makeAgain(step, [...kept, ...scratch], place, fx);
    if (typeof made === "string") {
      not_made.push(`${step.name}: ${made}`);
      continue;
    }
    const then = fileThen(step, place.manifest);
    const same = (await fx.folder.hash(made.path)).sha256 === then.sha256;
    const differs = same ? null : difference(made.relation.rows, then.rows, place.manifest, fx);
    if (differs === null) files += 1;
    else if (differs.invariant === null) not_made.push(`${step.name}: ${differs.message}`);
    else breaches.push({ ...differs, invariant: differs.invariant, subject: then.path });
    const usable = differs === null || differs.invariant === null;
    if (usable && then.discarded) scratch.push(made.relation);
  }
  return { scratch, files, not_made, breaches };
}

interface Then {
  readonly path: string;
  readonly sha256: string;
  readonly rows: number;
  readonly discarded: boolean;
}

function fileThen(step: Step, manifest: Manifest): Then {
  const artefact = manifest.artefacts.find((a) => a.step === step.step);
  if (artefact !== undefined) {
    const { path, sha256 } = artefact.twin ?? artefact;
    return { path, sha256, rows: artefact.rows, discarded: false };
  }
  const scratch = manifest.discarded.find((d) => d.relation === step.name);
  if (scratch === undefined) throw new Error(`the manifest has no file of step ${step.name}`);
  return { ...scratch, discarded: true };
}

/** The invariant is null where other versions may well write other bytes. */
function difference(
  rows: number,
  rowsThen: number,
  { engine, versions }: Manifest,
  fx: Pick<Effects, "engine" | "versions">,
): { readonly invariant: string | null; readonly message: string } {
  if (rows !== rowsThen) {
    const message = `its kept SQL gives ${rows} rows now, and gave ${rowsThen}`;
    return { invariant: "I010", message };
  }
  const then = canonicalJson([engine.name, engine.version, versions]);
  if (then === canonicalJson([fx.engine.name, fx.engine.version, fx.versions]))
    return { invariant: "I010", message: "its kept SQL gives other bytes now" };
  return { invariant: null, message: "other bytes by other versions, the same count of rows" };
}

/** The step's file and relation, or why it cannot be made. */
async function makeAgain(
  step: Step,
  relations: readonly Relation[],
  { manifest, job, paths, next }: Place,
  fx: Pick<Effects, "engine" | "folder">,
): Promise<{ readonly path: Path; readonly relation: Relation } | string> {
  const sql = paths.get(step.sql);
  if (sql === undefined) return `${step.sql} is not whole`;
  const known = new Set(relations.map((r) => r.name));
  const lost = step.reads.find((name) => !known.has(name));
  if (lost !== undefined) return `${lost} was not kept`;
  const name = fileName(step, manifest, job);
  const format = formatOf(name) === "csv" ? "csv" : "parquet";
  const spec = job.artefacts[name];
  const to = next();
  try {
    const made = await fx.engine.evaluate({
      sql: await fx.folder.text(sql),
      relations: relations.filter((r) => step.reads.includes(r.name)),
      columns: spec === undefined ? null : declaredColumns(spec.columns),
      order_by: (spec?.order_by ?? []).map(orderOf),
      to,
      format,
      allow: job.allow?.functions ?? [],
    });
    const { columns, rows } = made;
    const files = [{ path: to, format }] as const;
    return { path: to, relation: { name: RelationRef.parse(step.name), columns, files, rows } };
  } catch (e) {
    if (isFinding(e)) return e.message;
    throw e;
  }
}

function fileName(step: Step, manifest: Manifest, job: Job) {
  const artefact = manifest.artefacts.find((a) => a.step === step.step);
  if (artefact !== undefined) return fileOf(stepOf(job, artefact.path)).name;
  const spec = job.steps.find((s) => s.name === step.name);
  if (spec === undefined) throw new Error(`the kept job has no step ${step.name}`);
  return fileOf(spec).name;
}
