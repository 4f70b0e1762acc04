import { planKey } from "../checks/plan.js";
import type { Effects } from "../effects.js";
import { TieoutError } from "../model/errors.js";
import type { RelationName } from "../model/ids.js";
import type { InputSpec } from "../model/job.js";
import { relativeTo } from "../model/layout.js";
import { type InputRecord, PinRecord } from "../model/records.js";
import { inputRelation, previousRelation, rejectsRelation } from "../model/relations.js";
import { judge } from "../queries/checks.js";
import type { Reading } from "../readers/reader.js";
import { earlierPins } from "./earlier.js";
import { pinPrevious } from "./pin-previous.js";
import type { Stage, State } from "./stage.js";

/**
 * Inputs and previous artefacts, copied in, hashed, read-only and typed; every source record is a
 * row, a reject or a declared skip (I007). What another process changes outside no longer matters.
 */
export const pin: Stage<"claimed", PinRecord, "pinned"> = {
  name: "pin",
  record: PinRecord,

  async run(from, fx) {
    const sources = await findAll(from, fx);
    const inputs: InputRecord[] = [];
    for (const { name, spec, found } of sources) {
      inputs.push(await pinInput(name, spec, found, from, fx));
    }
    return { inputs, previous: await pinPrevious(from, fx) };
  },

  async prove(from, record) {
    const rejects = record.inputs.map((r) => rejectsRelation(r, from.layout));
    const relations = [
      ...record.inputs.map((r) => inputRelation(r, from.layout)),
      ...rejects,
      ...record.previous.map((r) => previousRelation(r, from.layout)),
    ];
    return { ...from, inputs: record.inputs, previous: record.previous, relations };
  },

  journal: (from) => from.layout.journal,
};

/** A file to copy in, and its name for people. */
interface ToPin {
  readonly source: string;
  readonly copy: (
    to: Parameters<Effects["folder"]["copy"]>[1],
  ) => ReturnType<Effects["folder"]["copy"]>;
}

/**
 * Every input's files; all missing inputs are reported at once. Where an export is gone, an earlier
 * attempt's copy serves.
 */
async function findAll(from: State<"claimed">, fx: Effects) {
  const entries = Object.entries(from.job.inputs) as [RelationName, InputSpec][];
  const earlier = await earlierPins(from, fx);
  const all = [];
  for (const [name, spec] of entries) {
    const exports = await fx.inputs.find(spec.file);
    const found: ToPin[] = exports.map((f) => ({
      source: f.name,
      copy: (to) => fx.folder.copy(f.file, to),
    }));
    all.push({ name, spec, found: found.length > 0 ? found : (earlier.get(name) ?? []) });
  }
  const missing = all.filter((i) => i.found.length === 0);
  if (missing.length === 0) return all;
  const there = await fx.inputs.exists();
  const files = missing.map((m) => m.spec.file).join(" and ");
  throw new TieoutError("INPUT_MISSING", {
    subject: missing.map((m) => m.name).join(", "),
    cause: there
      ? `no file matches ${files} in ${fx.inputs.name}`
      : `there is no folder ${fx.inputs.name} to look for ${files} in`,
    remedy: there
      ? "put the export there, or name its folder with --inputs, and run again"
      : "name the folder of the exports with --inputs, and run again",
  });
}

async function pinInput(
  name: RelationName,
  spec: InputSpec,
  found: readonly ToPin[],
  from: State<"claimed">,
  fx: Effects,
): Promise<InputRecord> {
  const { layout } = from;
  const pinned = [];
  for (const [n, file] of found.entries()) {
    const size_bytes = pinned.reduce((sum, p) => sum + p.sealed.size_bytes, 0);
    fx.progress.stage("pin", `${name} ${file.source}`, n, found.length, { size_bytes });
    const path = layout.pinned(name, n);
    pinned.push({ path, source: file.source, sealed: await file.copy(path) });
  }
  const typed = (n: number) => layout.typed(name, n);
  const request = { input: name, spec, files: pinned, typed, rejects: layout.rejectsDraft(name) };
  const reading = await fx.reader.read(request, fx.engine);
  const rejects = await sealRejects(name, reading, from, fx);
  assertTolerated(name, spec, reading);
  await assertKey(name, spec, reading, fx);
  const size_bytes = pinned.reduce((sum, p) => sum + p.sealed.size_bytes, 0);
  const { rows, rejected } = reading;
  fx.log.info("pinned", { input: name, rows, rejected, size_bytes });
  return {
    name,
    keep: spec.keep ?? "file",
    files: pinned.map(({ path, source, sealed }, n) => ({
      path: relativeTo(layout, path),
      sha256: sealed.sha256,
      size_bytes: sealed.size_bytes,
      source,
      typed: relativeTo(layout, reading.relation.files[n]?.path ?? layout.typed(name, n)),
      first_line: reading.relation.files[n]?.first_line ?? null,
    })),
    columns: [...reading.relation.columns],
    rows: reading.rows,
    rejected: reading.rejected,
    skipped: reading.skipped,
    records: reading.records,
    rejects,
  };
}

/**
 * The failing rows of an input are sealed before anybody is told of them: they ship with a failure
 * too.
 */
async function sealRejects(
  name: RelationName,
  reading: Reading,
  from: State<"claimed">,
  fx: Effects,
) {
  if (reading.rejects === null) return null;
  const to = from.layout.rejects(name);
  const sealed = await fx.folder.seal(reading.rejects.file.path, to);
  return { path: relativeTo(from.layout, to), ...sealed };
}

function assertTolerated(name: RelationName, spec: InputSpec, reading: Reading): void {
  const max = spec.rejects?.max ?? 0;
  if (reading.rejected <= max) return;
  const where = (reading.rejects?.first ?? [])
    .slice(0, 5)
    .map((r) => `${r.file}:${r.line} ${r.column} ${r.code}`);
  throw new TieoutError("INPUT_REJECTS", {
    subject: name,
    cause:
      `${reading.rejected} of ${reading.records} records do not fit ` +
      `their declared types; ${max} are tolerated: ${where.join("; ")}`,
    remedy:
      "mend the export, or declare what it holds, or tolerate them " +
      `with rejects: { max: ${reading.rejected} } under inputs.${name}`,
    at: { rejected: reading.rejected, records: reading.records },
  });
}

/** A declared key is not null and occurs once. */
async function assertKey(
  input: RelationName,
  spec: InputSpec,
  reading: Reading,
  fx: Effects,
): Promise<void> {
  if (spec.key === undefined) return;
  const { columns } = reading.relation;
  const subject = { relation: input, artefact: input, columns };
  const plans = planKey(spec.key, subject, fx.engine.dialect);
  const faults = [];
  for (const plan of plans) faults.push((await judge(plan, [reading.relation], fx))?.message ?? "");
  const found = faults.filter((message) => message !== "");
  if (found.length === 0) return;
  throw new TieoutError("INPUT_INVALID", {
    subject: input,
    cause: `its rows do not have the key (${spec.key.join(", ")}): ${found.join("; ")}`,
    remedy: `mend the export, or declare another key under inputs.${input}.key`,
  });
}
