import type { Effects } from "../effects.js";
import { partsOf, RelationRef, type RunId } from "../model/ids.js";
import type { Manifest } from "../model/manifest.js";
import type { Relation } from "../model/relation.js";
import type { DiffAnswer, ListedArtefact } from "../model/report.js";
import type { Committed } from "../model/run.js";
import { unknownRun } from "./catalogue.js";
import { openArtefact } from "./catalogue-committed.js";
import { committedRuns, readCommitted } from "./committed.js";

/**
 * What differs between two committed runs: inputs, artefacts row by row (repeats counted), figures.
 * @throws UNKNOWN_RUN, DAMAGED
 */
export async function diff(left: RunId, right: RunId, fx: Effects): Promise<DiffAnswer> {
  const a = await committed(left, fx);
  const b = await committed(right, fx);
  const paths = union(a.manifest.artefacts, b.manifest.artefacts, (x) => x.path);
  const artefacts: DiffAnswer["artefacts"] = [];
  for (const path of paths) artefacts.push(await diffArtefact(path, a, b, fx));
  return {
    left,
    right,
    job_changed: a.manifest.job_sha256 !== b.manifest.job_sha256,
    inputs: diffInputs(a.manifest, b.manifest),
    artefacts,
    figures: diffFigures(a.manifest, b.manifest),
  };
}

async function committed(run: RunId, fx: Effects): Promise<Committed> {
  const found = await readCommitted(run, fx);
  if (found !== null) return found;
  throw unknownRun(run, await committedRuns(partsOf(run).job, fx));
}

function diffInputs(a: Manifest, b: Manifest): DiffAnswer["inputs"] {
  return union(a.inputs, b.inputs, (i) => i.name).map((name) => {
    const [x, y] = [a, b].map((m) => m.inputs.find((i) => i.name === name));
    const hashes = (m: typeof x) => m?.files.map((f) => f.sha256).join();
    const changed = hashes(x) !== hashes(y);
    return { name, changed, rows_left: x?.rows ?? null, rows_right: y?.rows ?? null };
  });
}

async function diffArtefact(
  path: string,
  a: Committed,
  b: Committed,
  fx: Effects,
): Promise<DiffAnswer["artefacts"][number]> {
  const x = a.manifest.artefacts.find((f) => f.path === path);
  const y = b.manifest.artefacts.find((f) => f.path === path);
  const same_bytes = x?.sha256 !== undefined && x.sha256 === y?.sha256;
  const rows = same_bytes ? { only_left: 0, only_right: 0 } : await onlyIn(x, a, y, b, fx);
  return {
    path,
    same_bytes,
    rows_left: x?.rows ?? null,
    rows_right: y?.rows ?? null,
    ...rows,
    totals_left: x?.control_totals ?? [],
    totals_right: y?.control_totals ?? [],
  };
}

async function onlyIn(
  x: ListedArtefact | undefined,
  a: Committed,
  y: ListedArtefact | undefined,
  b: Committed,
  fx: Effects,
): Promise<{ only_left: number | null; only_right: number | null }> {
  const columns = (f: ListedArtefact | undefined) => JSON.stringify(f?.columns ?? null);
  if (x === undefined || y === undefined || columns(x) !== columns(y)) {
    return { only_left: null, only_right: null };
  }
  const left = named("left_rows", await openArtefact(x, a, fx));
  const right = named("right_rows", await openArtefact(y, b, fx));
  const count = (p: Relation, q: Relation) =>
    `(SELECT count(*) FROM (SELECT * FROM ${fx.engine.dialect.from(p.name)} EXCEPT ALL ` +
    `SELECT * FROM ${fx.engine.dialect.from(q.name)}))`;
  const sql = `SELECT ${count(left, right)} AS only_left, ${count(right, left)} AS only_right`;
  const table = await fx.engine.ask({ sql, params: [], relations: [left, right], limit: 1 });
  const [only_left, only_right] = (table.rows[0] ?? []).map((v) => Number(v));
  return { only_left: only_left ?? null, only_right: only_right ?? null };
}

function named(name: string, relation: Relation): Relation {
  return { ...relation, name: RelationRef.parse(name) };
}

function diffFigures(a: Manifest, b: Manifest): DiffAnswer["figures"] {
  return union(a.figures, b.figures, (f) => f.name).map((name) => {
    const text = (m: Manifest) => {
      const f = m.figures.find((g) => g.name === name);
      return f === undefined ? null : (f.value ?? JSON.stringify(f.rows ?? f.by_currency ?? null));
    };
    return { name, left: text(a), right: text(b) };
  });
}

function union<T>(a: readonly T[], b: readonly T[], nameOf: (x: T) => string): string[] {
  return [...new Set([...a.map(nameOf), ...b.map(nameOf)])];
}
