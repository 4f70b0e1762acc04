import type { Effects } from "../effects.js";
import { RelationRef } from "../model/ids.js";
import { formatOf } from "../model/job.js";
import type { Manifest } from "../model/manifest.js";
import type { StoredDoc } from "../model/records.js";
import type { Relation } from "../model/relation.js";
import { REJECT_COLUMNS, rejectsName, TEXT_COLUMNS } from "../model/relations.js";
import type { Committed } from "../model/run.js";
import { fetchCached } from "./cache.js";
import { readCommitted, receiptOf } from "./committed.js";
import type { Catalogue, Entry } from "./entry.js";
import { assertNotPurged } from "./kept.js";
import { readKeptInput } from "./kept-input.js";

type Listed<K extends "inputs" | "artefacts" | "previous" | "discarded"> = Manifest[K][number];

/**
 * The relations of a committed run: what was kept can be opened, what was not is named with its
 * hash.
 */
export function committedCatalogue(run: Committed, fx: Effects): Catalogue {
  const { manifest } = run;
  const entries = [
    ...manifest.inputs.flatMap((i) => inputEntries(i, run, fx)),
    ...manifest.previous.map((p) => previousEntry(p, fx)),
    ...manifest.artefacts.map((a) => artefactEntry(a, run, fx)),
    ...manifest.discarded.map((d) => discardedEntry(d, manifest)),
    journalEntry(run, fx),
  ];
  return { run_id: run.run_id, state: "committed", entries };
}

function inputEntries(input: Listed<"inputs">, run: Committed, fx: Effects): Entry[] {
  const { name, rows, columns, files, rejects, rejected } = input;
  const base = { made_at: run.manifest.started_at, tag: files.map((f) => f.sha256).join() };
  const hashes = files.map((f) => f.sha256).join(", ");
  const kept = input.keep === "file";
  const own: Entry = {
    ...base,
    name: RelationRef.parse(name),
    kind: "input",
    rows,
    columns: columns.length,
    open: kept ? () => readKeptInput(input, run, fx) : null,
    instead: `the job keeps only its hash (${hashes}) and its ${rows} rows' count`,
  };
  const rejectsRef = RelationRef.parse(rejectsName(name));
  const open = async (): Promise<Relation> =>
    rejects === null
      ? { name: rejectsRef, columns: REJECT_COLUMNS, files: [], rows: 0 }
      : openKept(run, rejects.path, fx, (receipt) =>
          opened(rejectsRef, REJECT_COLUMNS, receipt, "csv", rejected, fx),
        );
  const reject: Entry = {
    ...base,
    name: rejectsRef,
    kind: "rejects",
    rows: rejected,
    columns: REJECT_COLUMNS.length,
    open,
    instead: "",
  };
  return [own, reject];
}

function artefactEntry(artefact: Listed<"artefacts">, run: Committed, fx: Effects): Entry {
  const { relation, columns, rows } = artefact;
  return {
    name: RelationRef.parse(relation),
    kind: "artefact",
    rows,
    columns: columns.length,
    made_at: run.manifest.finished_at,
    tag: (artefact.twin ?? artefact).sha256,
    open: () => openArtefact(artefact, run, fx),
    instead: "",
  };
}

/**
 * An artefact of a committed run as a relation: its twin where the file itself cannot be queried.
 */
export function openArtefact(
  artefact: Listed<"artefacts">,
  run: Committed,
  fx: Effects,
): Promise<Relation> {
  const format = artefact.twin === null && formatOf(artefact.path) === "csv" ? "csv" : "parquet";
  const { relation, columns, rows, twin } = artefact;
  return openKept(run, (twin ?? artefact).path, fx, (receipt) =>
    opened(relation, columns, receipt, format, rows, fx),
  );
}

/** A file of a run, unless it was purged. @throws NOT_KEPT */
async function openKept(
  run: Committed,
  path: string,
  fx: Effects,
  open: (receipt: StoredDoc) => Promise<Relation>,
): Promise<Relation> {
  await assertNotPurged(run, path, fx);
  return open(receiptOf(run, path));
}

function previousEntry(previous: Listed<"previous">, fx: Effects): Entry {
  const { name, columns, sha256, rows } = previous;
  return {
    name: RelationRef.parse(`previous.${name}`),
    kind: "previous",
    rows,
    columns: columns.length,
    made_at: null,
    tag: sha256 ?? "",
    open: () => openPrevious(previous, fx),
    instead: "",
  };
}

/** Of the first run of a job it has no rows, as the run itself saw it. */
async function openPrevious(previous: Listed<"previous">, fx: Effects): Promise<Relation> {
  const { name, run_id, key, version, sha256, size_bytes, columns, rows } = previous;
  if (key === null || version === null || sha256 === null) {
    return { name: RelationRef.parse(`previous.${name}`), columns, files: [], rows };
  }
  const doc = { key, version, sha256, size_bytes: size_bytes ?? 0 };
  const before = run_id === null ? null : await readCommitted(run_id, fx);
  const receipt = before?.receipts.receipts.find((r) => r.key === key);
  if (before !== null && receipt !== undefined) await assertNotPurged(before, receipt.path, fx);
  return opened(`previous.${name}`, columns, doc, previous.format ?? "csv", rows, fx);
}

function discardedEntry(discarded: Listed<"discarded">, manifest: Manifest): Entry {
  const { relation, rows, columns, sha256, reason } = discarded;
  return {
    name: RelationRef.parse(relation),
    kind: "scratch",
    rows,
    columns: columns.length,
    made_at: manifest.finished_at,
    tag: sha256,
    open: null,
    instead: `${reason}, ${rows} rows, SHA-256 ${sha256}`,
  };
}

function journalEntry(run: Committed, fx: Effects): Entry {
  const receipt = receiptOf(run, "records/journal.jsonl");
  return {
    name: RelationRef.parse("log.journal"),
    kind: "text",
    rows: run.manifest.journal_lines,
    columns: TEXT_COLUMNS.length,
    made_at: run.manifest.finished_at,
    tag: receipt.sha256,
    open: () =>
      opened("log.journal", TEXT_COLUMNS, receipt, "text", run.manifest.journal_lines, fx),
    instead: "",
  };
}

async function opened(
  name: string,
  columns: Relation["columns"],
  receipt: StoredDoc,
  format: "csv" | "parquet" | "text",
  rows: number,
  fx: Effects,
): Promise<Relation> {
  const path = await fetchCached(receipt, fx);
  return { name: RelationRef.parse(name), columns, files: [{ path, format }], rows };
}
