import { z } from "zod";

/**
 * The names of a run. All are branded: a plain string is not one until it was parsed here.
 * Every pattern has its own message, because the message is what a person or a model acts on.
 */
export const JobName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "a job is named with a-z, 0-9 and -, at most 40 characters")
  .refine((s) => !/-\d{4}-\d{2}-\d{2}(-r\d+)?$/.test(s), "a job's name must not end in a date")
  .brand<"JobName">();
export type JobName = z.infer<typeof JobName>;

/** A calendar date that exists, `YYYY-MM-DD`. */
export const AsOf = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, "a date is written YYYY-MM-DD")
  .refine(isCalendarDate, "this date does not exist in the calendar")
  .brand<"AsOf">();
export type AsOf = z.infer<typeof AsOf>;

const RUN_ID = /^([a-z][a-z0-9-]*?)-(\d{4}-\d{2}-\d{2})(?:-r([2-9]|[1-9]\d{1,3}))?$/;

/**
 * `<job>-<as-of>[-r<n>]`, n from 2, at most 63 characters: it names its job and is unique per root
 * and store prefix. One run has one id: the first statement of a date never has a suffix.
 */
export const RunId = z
  .string()
  .max(63, "a run id has at most 63 characters: give the job a shorter name")
  .regex(RUN_ID, "a run id is <job>-<YYYY-MM-DD> or, when restated, <job>-<YYYY-MM-DD>-r<n>")
  .refine(namesJobAndDate, "a run id names a job (at most 40 characters) and a date that exists")
  .brand<"RunId">();
export type RunId = z.infer<typeof RunId>;

/** A relation of a run, as SQL and the reads name it: an input or a step. */
export const RelationName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, "a relation is named with a-z, 0-9 and _, at most 63 characters")
  .brand<"RelationName">();
export type RelationName = z.infer<typeof RelationName>;

/** A relation as it is asked for: one of this run, one of the previous run, or a text. */
export const RelationRef = z
  .string()
  .regex(
    /^(?:(?:previous|log)\.)?[a-z][a-z0-9_]{0,62}$/,
    "a relation is a name such as refunds, previous.discrepancies or log.terminal, never a path",
  )
  .brand<"RelationRef">();
export type RelationRef = z.infer<typeof RelationRef>;

export const ColumnName = z
  .string()
  .regex(/^[a-z_][a-z0-9_]{0,62}$/, "a column is named with a-z, 0-9 and _, at most 63 characters")
  .brand<"ColumnName">();
export type ColumnName = z.infer<typeof ColumnName>;

const RESERVED = new Set([
  "in",
  "previous",
  "work",
  "scratch",
  "agents",
  "records",
  "journal.jsonl",
  "manifest.json",
  "sha256sums",
  "summary.md",
  "report.html",
  "receipts.json",
  "committed.json",
  "failure.json",
]);

/** The file name of an artefact or of a scratch file; its ending is its format. */
export const ArtefactName = z
  .string()
  .max(100, "a file name has at most 100 characters")
  .regex(
    /^[a-z0-9][a-z0-9_.-]*\.(csv|parquet|xlsx)$/,
    "a file is named a-z, 0-9, _ . - and ends in .csv, .parquet or .xlsx",
  )
  .refine(
    (s) => !s.includes("..") && !RESERVED.has(s),
    "this name belongs to the run folder's own layout",
  )
  .brand<"ArtefactName">();
export type ArtefactName = z.infer<typeof ArtefactName>;

/** 64 lower-case hexadecimal digits. */
export const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "a SHA-256 is 64 lower-case hexadecimal digits")
  .brand<"Sha256">();
export type Sha256 = z.infer<typeof Sha256>;

/** Absolute path on the local disk; made only by `layout.ts`. */
export type Path = string & { readonly __path: never };
/** Key in a store, relative to the store's prefix; made only by `layout.ts`. */
export type Key = string & { readonly __key: never };
/** Absolute path of a file outside a run; made only by a Source. */
export type Outside = string & { readonly __outside: never };

/** The parts of a run id. `revision` is 1 for the first statement of an as-of date. */
export function partsOf(run: RunId): { job: JobName; as_of: AsOf; revision: number } {
  const m = RUN_ID.exec(run);
  if (!m) throw new Error(`not a run id: ${run}`);
  return { job: JobName.parse(m[1]), as_of: AsOf.parse(m[2]), revision: m[3] ? Number(m[3]) : 1 };
}

/** The id of a job's run for a date; `revision` 1 has no suffix. */
export function runId(job: JobName, as_of: AsOf, revision = 1): RunId {
  return RunId.parse(`${job}-${as_of}${revision === 1 ? "" : `-r${revision}`}`);
}

function namesJobAndDate(id: string): boolean {
  const m = RUN_ID.exec(id);
  return m !== null && JobName.safeParse(m[1]).success && isCalendarDate(m[2] ?? "");
}

function isCalendarDate(s: string): boolean {
  const d = new Date(`${s}T00:00:00Z`);
  return !Number.isNaN(d.getTime()) && d.toISOString().startsWith(s);
}
