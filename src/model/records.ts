import { z } from "zod";
import { Column } from "./columns.js";
import { CheckRecord, Finding } from "./finding.js";
import { ArtefactName, RelationName, RelationRef, RunId, Sha256 } from "./ids.js";

/**
 * What each stage puts on the record (the journal), in paths relative to the attempt. A record is
 * what a later process needs to prove the stage again; no row of data is in one (I018).
 */
const SealedFile = z.object({ path: z.string(), sha256: Sha256, size_bytes: z.int() });
export type SealedFile = z.infer<typeof SealedFile>;

export const ClaimRecord = z.object({
  attempt: z.int(),
  owner: z.string(),
  at: z.string(),
  /** Earlier attempts that left a whole manifest in the store which no commit names. */
  uncommitted: z.array(z.int()).default([]),
});
export type ClaimRecord = z.infer<typeof ClaimRecord>;

export const InputRecord = z.object({
  name: RelationName,
  keep: z.enum(["file", "hash"]),
  files: z.array(
    SealedFile.extend({
      source: z.string(),
      typed: z.string(),
      first_line: z.int().nullable(),
    }),
  ),
  columns: z.array(Column),
  rows: z.int(),
  rejected: z.int(),
  skipped: z.int(),
  records: z.int(),
  rejects: SealedFile.nullable(),
});
export type InputRecord = z.infer<typeof InputRecord>;

export const PreviousRecord = z.object({
  name: RelationName,
  columns: z.array(Column),
  rows: z.int(),
  /** Null on a first run: the relation then has no rows. */
  from: SealedFile.extend({
    run_id: RunId,
    artefact: ArtefactName,
    key: z.string(),
    version: z.string(),
    format: z.enum(["csv", "parquet"]),
  }).nullable(),
});
export type PreviousRecord = z.infer<typeof PreviousRecord>;

export const PinRecord = z.object({
  inputs: z.array(InputRecord),
  previous: z.array(PreviousRecord),
});
export type PinRecord = z.infer<typeof PinRecord>;

export const StepRecord = z.object({
  step: z.int(),
  name: RelationName,
  by: z.enum(["sql", "recipe", "agent"]),
  /** Hash of all that decides the file's bytes; equal fingerprints mean equal files (I010). */
  fingerprint: Sha256,
  /** The SQL that made the file, as a record: `records/sql/<step>.sql`. */
  sql: SealedFile,
  reads: z.array(RelationRef),
  kind: z.enum(["scratch", "artefact"]),
  file: SealedFile.extend({ name: ArtefactName }),
  /** What the reads and checks open: the file itself, or its Parquet twin. */
  twin: SealedFile.nullable(),
  rows: z.int(),
  overflow: z.int(),
  columns: z.array(Column),
  conserves: z.array(RelationRef),
  adopted_from: z.int().nullable(),
});
export type StepRecord = z.infer<typeof StepRecord>;

export const ComputeRecord = z.object({
  steps: z.array(StepRecord),
  /** Scratch that an agent made on the way: named q01, q02, …; discarded. */
  drafts: z.array(
    SealedFile.extend({
      name: RelationName,
      rows: z.int(),
      columns: z.array(Column),
      sql_sha256: Sha256,
    }),
  ),
});
export type ComputeRecord = z.infer<typeof ComputeRecord>;

export const VerifyRecord = z.object({
  checks: z.record(ArtefactName, z.array(CheckRecord)),
  findings: z.array(Finding),
  failed_rows: z.array(SealedFile),
});
export type VerifyRecord = z.infer<typeof VerifyRecord>;

export const CloseRecord = z.object({ manifest: SealedFile });
export type CloseRecord = z.infer<typeof CloseRecord>;

const StoredDoc = z.object({
  key: z.string(),
  version: z.string(),
  sha256: Sha256,
  size_bytes: z.int(),
});
export type StoredDoc = z.infer<typeof StoredDoc>;

/** `committed.json`: the commit of a run. It names the two documents that name everything else. */
export const Commit = z.object({
  schema: z.literal("tieout/commit/1"),
  run_id: RunId,
  attempt: z.int(),
  manifest: StoredDoc,
  receipts: StoredDoc,
});
export type Commit = z.infer<typeof Commit>;

/** `receipts.json`: the store's word for every kept file. `path` is as the manifest lists it. */
export const Receipts = z.object({
  schema: z.literal("tieout/receipts/1"),
  run_id: RunId,
  attempt: z.int(),
  receipts: z.array(StoredDoc.extend({ path: z.string() })),
});
export type Receipts = z.infer<typeof Receipts>;

export const ExtractRecord = z.object({ commit: StoredDoc });
export type ExtractRecord = z.infer<typeof ExtractRecord>;

export const TeardownRecord = z.object({ proven: z.int(), removed: z.boolean() });
export type TeardownRecord = z.infer<typeof TeardownRecord>;

/** `claims/a<n>/<beat>.json`. A claim holds until `until` unless a later beat says otherwise. */
export const Claim = z.object({
  schema: z.literal("tieout/claim/1"),
  run_id: RunId,
  attempt: z.int(),
  beat: z.int(),
  owner: z.string(),
  at: z.string(),
  until: z.string(),
  released: z.boolean(),
});
export type Claim = z.infer<typeof Claim>;

/** `failure.json`: what ended an attempt, and which stage. */
export const Failure = z.object({
  schema: z.literal("tieout/failure/1"),
  run_id: RunId,
  attempt: z.int(),
  stage: z.string(),
  at: z.string(),
  error: z.object({
    code: z.string(),
    subject: z.string(),
    message: z.string(),
    remedy: z.string(),
  }),
  findings: z.array(Finding),
});
export type Failure = z.infer<typeof Failure>;
