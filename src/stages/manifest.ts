import type { Effects } from "../effects.js";
import type { StoreFacts } from "../model/capabilities.js";
import type { ControlTotal } from "../model/compute.js";
import type { Sha256 } from "../model/ids.js";
import { inputKey } from "../model/layout.js";
import type { Figure, Manifest } from "../model/manifest.js";
import type { SealedFile, StepRecord } from "../model/records.js";
import type { Verified } from "../model/run.js";

const DAY_MS = 86_400_000;

/** What close has found out beside the verified state. */
export interface Closing {
  readonly figures: readonly Figure[];
  readonly totals: ReadonlyMap<string, readonly ControlTotal[]>;
  readonly records: readonly SealedFile[];
  readonly journal_head: Sha256;
  readonly journal_lines: number;
  readonly finished_at: string;
  /**
   * When retention begins, milliseconds since 1970: the later of our clock and the store's, which
   * alone says when it ends.
   */
  readonly kept_from: number;
  readonly store: StoreFacts;
}

/**
 * The manifest as a value, before any of it is written. Pure but for the names of engine and
 * versions.
 */
export function planManifest(
  from: Verified,
  closing: Closing,
  fx: Pick<Effects, "engine" | "versions">,
): Manifest {
  return {
    schema: "tieout/manifest/1",
    run_id: from.run_id,
    job: from.job.job,
    owner: from.job.owner,
    attempt: from.attempt,
    as_of: from.as_of,
    supersedes: from.supersedes,
    started_at: from.started_at,
    finished_at: closing.finished_at,
    status: "complete",
    outcome: from.findings.length > 0 ? "warnings" : "complete",
    exit: 0,
    inputs: from.inputs.map(inputEntry),
    previous: from.previous.map(previousEntry),
    steps: from.steps.map(stepEntry),
    artefacts: from.steps
      .filter((s) => s.kind === "artefact")
      .map((s) => artefactEntry(s, from, closing)),
    records: closing.records.map(bare),
    figures: [...closing.figures],
    findings: [...from.findings],
    discarded: discarded(from),
    engine: { name: fx.engine.name, version: fx.engine.version, settings: {} },
    store: closing.store,
    versions: { ...fx.versions },
    job_sha256: from.job_sha256,
    journal_head: closing.journal_head,
    journal_lines: closing.journal_lines,
  };
}

function inputEntry(input: Verified["inputs"][number]): Manifest["inputs"][number] {
  const { name, keep, columns, rows, rejected, skipped, records } = input;
  const files = input.files.map((f) => ({
    source: f.source,
    sha256: f.sha256,
    size_bytes: f.size_bytes,
    key: keep === "file" ? inputKey(f.sha256) : null,
  }));
  const rejects = input.rejects === null ? null : bare(input.rejects);
  return { name, keep, files, columns, rows, rejected, skipped, records, rejects, witnesses: [] };
}

function previousEntry(previous: Verified["previous"][number]): Manifest["previous"][number] {
  const { name, rows, columns, from } = previous;
  return {
    name,
    run_id: from?.run_id ?? null,
    path: from?.artefact ?? null,
    key: from?.key ?? null,
    version: from?.version ?? null,
    sha256: from?.sha256 ?? null,
    size_bytes: from?.size_bytes ?? null,
    format: from?.format ?? null,
    columns,
    rows,
  };
}

function stepEntry(step: StepRecord): Manifest["steps"][number] {
  return {
    step: step.step,
    name: step.name,
    by: step.by,
    sql: step.sql.path,
    sql_sha256: step.sql.sha256,
    reads: step.reads,
    conservation: step.conserves.length === 0 ? null : { of: step.conserves, rows: step.rows },
    adopted_from: step.adopted_from,
  };
}

function artefactEntry(
  step: StepRecord,
  from: Verified,
  closing: Closing,
): Manifest["artefacts"][number] {
  const name = step.file.name;
  const spec = from.job.artefacts[name];
  if (spec === undefined) throw new Error(`${name} is not declared; the job was not checked`);
  const until = closing.kept_from + spec.retain_days * DAY_MS;
  return {
    ...bare(step.file),
    path: name,
    step: step.step,
    relation: step.name,
    rows: step.rows,
    overflow: step.overflow,
    verified: true,
    retain_days: spec.retain_days,
    retain_until: new Date(until).toISOString(),
    share: spec.share ?? null,
    order_by: spec.order_by,
    columns: step.columns,
    checks: [...(from.checks[name] ?? [])],
    control_totals: [...(closing.totals.get(name) ?? [])],
    twin: step.twin === null ? null : bare(step.twin),
  };
}

function discarded(from: Verified): Manifest["discarded"] {
  const scratch = from.steps
    .filter((s) => s.kind === "scratch")
    .map((s) => ({
      ...bare(s.file),
      relation: s.name,
      rows: s.rows,
      columns: s.columns,
      reason: "scratch",
    }));
  const drafts = from.drafts.map((d) => ({
    ...bare(d),
    relation: d.name,
    rows: d.rows,
    columns: d.columns,
    reason: "scratch of an agent",
  }));
  return [...scratch, ...drafts];
}

function bare(file: SealedFile): SealedFile {
  return { path: file.path, sha256: file.sha256, size_bytes: file.size_bytes };
}
