import type { Effects } from "../effects.js";
import type { Column } from "../model/columns.js";
import { declaredColumns } from "../model/declared.js";
import { TieoutError } from "../model/errors.js";
import type { ArtefactName, RelationName } from "../model/ids.js";
import { fileOf, formatOf } from "../model/job.js";
import { relativeTo } from "../model/layout.js";
import type { PreviousRecord } from "../model/records.js";
import type { Committed } from "../model/run.js";
import { fetchKept, previousRun, readCommitted, receiptOf } from "../queries/committed.js";
import { assertNotPurged } from "../queries/kept.js";
import type { State } from "./stage.js";

/**
 * The declared artefacts of the previous run, fetched through its commit by key, version and
 * SHA-256 and read-only (I011). Previous is the greatest strictly earlier as-of date; a first run
 * has none.
 * @throws PREVIOUS_MISSING when one is required and there is none, NOT_KEPT when it was purged,
 * DAMAGED when its bytes changed
 */
export async function pinPrevious(from: State<"claimed">, fx: Effects): Promise<PreviousRecord[]> {
  const wanted = Object.entries(from.job.previous ?? {}) as [RelationName, { required: boolean }][];
  if (wanted.length === 0) return [];
  const run_id = await previousRun(from.job.job, from.as_of, fx);
  const run = run_id === null ? null : await readCommitted(run_id, fx);
  const records: PreviousRecord[] = [];
  for (const [name, { required }] of wanted) {
    const record = run === null ? null : await fetchOne(name, run, from, fx);
    if (record === null && required) throw missing(name, from, run);
    records.push(record ?? { name, columns: columnsNow(name, from), rows: 0, from: null });
    fx.log.info("previous", { relation: name, run: run_id ?? "none", rows: record?.rows ?? 0 });
  }
  return records;
}

async function fetchOne(
  name: RelationName,
  run: Committed,
  from: State<"claimed">,
  fx: Effects,
): Promise<PreviousRecord | null> {
  const artefact = run.manifest.artefacts.find((a) => a.relation === name);
  if (artefact === undefined) return null;
  const kept = artefact.twin ?? artefact;
  await assertNotPurged(run, kept.path, fx);
  const receipt = receiptOf(run, kept.path);
  if (receipt.sha256 !== kept.sha256) throw changed(`${run.run_id}/${kept.path}`);
  const file = artefact.path;
  const to = from.layout.previous(name, file);
  const sealed = await fetchKept(receipt, to, fx);
  const format = artefact.twin === null && formatOf(file) === "csv" ? "csv" : "parquet";
  return {
    name,
    columns: artefact.columns,
    rows: artefact.rows,
    from: {
      path: relativeTo(from.layout, to),
      ...sealed,
      run_id: run.run_id,
      artefact: file,
      key: receipt.key,
      version: receipt.version,
      format,
    },
  };
}

/** The columns that today's job declares for the artefact: an empty relation needs some. */
function columnsNow(name: RelationName, from: State<"claimed">): Column[] {
  const step = from.job.steps.find((s) => s.name === name);
  if (step === undefined)
    throw new Error(`previous.${name} names no step; the job was not checked`);
  const spec = from.job.artefacts[fileOf(step).name as ArtefactName];
  return declaredColumns(spec?.columns ?? {});
}

function missing(name: RelationName, from: State<"claimed">, run: Committed | null): TieoutError {
  const cause =
    run === null
      ? `no run of ${from.job.job} before ${from.as_of} is committed`
      : `${run.run_id} has no artefact of step ${name}`;
  return new TieoutError("PREVIOUS_MISSING", {
    subject: `previous.${name}`,
    cause,
    remedy:
      `run ${from.job.job} for the earlier date first, ` +
      `or declare previous.${name} with required: false`,
  });
}

function changed(subject: string): TieoutError {
  return new TieoutError("DAMAGED", {
    subject,
    cause: "its receipt and its manifest name different bytes",
    remedy:
      "run `tieout recheck` on that run, and restore its documents from a backup of the store",
  });
}
