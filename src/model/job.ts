import { z } from "zod";
import { TypeText } from "./columns.js";
import { ArtefactName, ColumnName, JobName, RelationName, RelationRef } from "./ids.js";

/**
 * A job as data: what `job.yaml` says, after parsing. `documents/job.ts` turns text into this with
 * lines and columns; `problems.ts` says what one field alone cannot (references between parts).
 * `schemas/job.schema.json` is generated from here.
 */
const SqlFile = z
  .string()
  .regex(
    /^(?!.*\.\.)[a-z0-9][a-z0-9_./-]*\.sql$/,
    "an SQL file is named relative to the job's folder and ends in .sql",
  );
const Count = z.int().min(0);
const names = <T extends z.ZodType>(of: T) => z.array(of).min(1, "name at least one");

export const InputColumnSpec = z.strictObject({
  type: TypeText,
  header: z
    .string()
    .min(1)
    .optional()
    .describe("the column's name in the source's header, when it differs"),
  markers: names(z.string().min(1))
    .optional()
    .describe("texts that mean 'no value', kept in <column>_marker"),
  blank: z
    .enum(["reject", "null", "keep"])
    .optional()
    .describe("an empty field: reject (default), null, or keep as '' (text only, its default)"),
  decimal: z.enum([".", ","]).optional().describe("decimal sign of the source, '.' by default"),
  thousands: z
    .enum([",", ".", " ", "'"])
    .optional()
    .describe("grouping sign of the source, none by default"),
  negative: z
    .enum(["minus", "brackets", "trailing_minus"])
    .optional()
    .describe("how the source writes a negative number; a leading minus is always read"),
  pattern: z
    .string()
    .regex(/^[YMDHmsS./: T-]+$/, "a pattern is made of YYYY MM DD HH mm ss and separators")
    .optional()
    .describe("date or timestamp pattern such as DD/MM/YYYY"),
});
export type InputColumnSpec = z.infer<typeof InputColumnSpec>;

const InputColumn = z.union([
  TypeText.transform((type): InputColumnSpec => ({ type })),
  InputColumnSpec,
]);

export const InputSpec = z.strictObject({
  file: z
    .string()
    .min(1)
    .regex(/^(?!.*(^|\/)\.\.(\/|$))[^/].*$/, "a file pattern is relative to the inputs folder")
    .describe("name or pattern (* and ?) within the inputs folder"),
  columns: z.record(ColumnName, InputColumn),
  key: names(ColumnName)
    .optional()
    .describe("columns that identify a row; checked to be unique and not null"),
  csv: z
    .strictObject({
      delimiter: z.string().length(1, "a delimiter is one character").optional(),
      quote: z.string().length(1, "a quote is one character").optional(),
      header: z.boolean().optional(),
    })
    .optional(),
  skip: z
    .strictObject({
      first: Count.optional().describe("lines before the header"),
      last: Count.optional().describe("records at the end: a footer or totals"),
      starting_with: names(z.string().min(1))
        .optional()
        .describe("records whose first field starts so: totals, notes"),
    })
    .optional(),
  extra_columns: z.enum(["refuse", "ignore"]).optional(),
  rejects: z
    .strictObject({ max: Count })
    .optional()
    .describe("how many rejects are tolerated, 0 by default"),
  allow_empty: z.boolean().optional().describe("a file without rows is fine"),
  keep: z
    .enum(["file", "hash"])
    .optional()
    .describe("hash: the pinned file is not kept in the store"),
});
export type InputSpec = z.infer<typeof InputSpec>;

const SEVERITY = z.enum(["error", "warning"]);
const Scalar = z.union([z.string(), z.boolean(), z.int()]);
export const CHECK_KINDS = [
  "rows",
  "unique",
  "not_null",
  "values",
  "range",
  "control_total",
  "sql",
] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

export const CheckSpec = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,62}$/, "a check is named with a-z, 0-9 and _")
    .optional(),
  severity: SEVERITY.optional().describe("error (default) fails the run; a warning is recorded"),
  rows: z
    .strictObject({
      min: Count.optional(),
      max: Count.optional(),
      equals: z.string().optional().describe("a SELECT of one number over the run's relations"),
    })
    .optional(),
  unique: names(ColumnName).optional(),
  not_null: names(ColumnName).optional(),
  values: z.strictObject({ column: ColumnName, in: names(Scalar) }).optional(),
  range: z
    .strictObject({ column: ColumnName, min: Scalar.optional(), max: Scalar.optional() })
    .optional()
    .describe("both ends inclusive"),
  control_total: z
    .strictObject({
      column: ColumnName,
      equals: z
        .string()
        .describe("a SELECT of one number over the run's relations; compared exactly"),
    })
    .optional(),
  sql: SqlFile.optional().describe(
    "a SELECT that must return no rows; the artefact is read by its step's name",
  ),
});
export type CheckSpec = z.infer<typeof CheckSpec>;

export const OrderText = z
  .string()
  .regex(
    /^-?(?:[a-z_][a-z0-9_]{0,62}|abs\([a-z_][a-z0-9_]{0,62}\))$/,
    "an order item is column, -column, abs(column) or -abs(column), never SQL",
  );

export const ArtefactSpec = z.strictObject({
  title: z.string().min(1).max(80).optional(),
  order_by: names(OrderText),
  retain_days: z.int().min(1).max(36_500),
  share: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*$/, "a share is the name of a destination in tieout.yaml")
    .optional(),
  columns: z.record(ColumnName, TypeText),
  checks: z.array(CheckSpec).optional(),
});
export type ArtefactSpec = z.infer<typeof ArtefactSpec>;

export const StepSpec = z.strictObject({
  name: RelationName,
  sql: SqlFile.optional(),
  agent: z
    .strictObject({ instruction: z.string().min(1) })
    .optional()
    .describe("a step done through operations by whoever drives the run, until finish"),
  scratch: ArtefactName.optional(),
  artefact: ArtefactName.optional(),
  conserves: names(RelationRef)
    .optional()
    .describe("this step has as many rows as these relations together (I007)"),
});
export type StepSpec = z.infer<typeof StepSpec>;

export const AGGREGATES = [
  "count",
  "count_null",
  "count_distinct",
  "sum",
  "min",
  "max",
  "avg",
] as const;
export type AggregateFn = (typeof AGGREGATES)[number];

export const FigureSpec = z.strictObject({
  artefact: ArtefactName,
  aggregate: z.enum(AGGREGATES).optional(),
  column: ColumnName.optional(),
  top: z.int().min(1).max(20).optional(),
  columns: names(ColumnName).optional(),
});
export type FigureSpec = z.infer<typeof FigureSpec>;

const FigureName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, "a figure is named with a-z, 0-9 and _");

export const Job = z.strictObject({
  job: JobName,
  title: z.string().min(1).max(200).optional(),
  owner: z
    .string()
    .regex(/^[a-z0-9][a-z0-9@._-]*$/i, "an owner is a team or a mailbox")
    .describe("who answers for the job; every kept object carries it"),
  as_of: z
    .strictObject({ zone: z.string(), days: z.int().min(-366).max(0) })
    .optional()
    .describe("the as-of date when none is given: today in a zone, plus days"),
  inputs: z.record(RelationName, InputSpec),
  previous: z.record(RelationName, z.strictObject({ required: z.boolean() })).optional(),
  steps: names(StepSpec),
  artefacts: z.record(ArtefactName, ArtefactSpec),
  figures: z.record(FigureName, FigureSpec).optional(),
  summary: z
    .string()
    .regex(/^(?!.*\.\.)[a-z0-9][a-z0-9_./-]*\.md$/, "a summary is a .md file in the job's folder")
    .optional(),
  allow: z
    .strictObject({ functions: names(z.string().regex(/^[a-z_][a-z0-9_]*$/)) })
    .optional()
    .describe("further deterministic SQL functions for this job"),
});
export type Job = z.infer<typeof Job>;

/** A job with the texts that it names, as loaded and as kept in its records: nothing else defines a run. */
export const LoadedJob = z.object({
  job: Job,
  /** Text of every SQL file by its name in the job's folder. */
  sql: z.record(z.string(), z.string()),
  summary: z.string().nullable(),
});
export type LoadedJob = z.infer<typeof LoadedJob>;

export type StepFile = { readonly kind: "scratch" | "artefact"; readonly name: ArtefactName };

/** The one file that a step makes. A validated step has exactly one of both. */
export function fileOf(step: StepSpec): StepFile {
  if (step.artefact) return { kind: "artefact", name: step.artefact };
  if (step.scratch) return { kind: "scratch", name: step.scratch };
  throw new Error(`step ${step.name} makes no file`);
}

/** The step that makes a file of a validated job. */
export function stepOf(job: Job, file: ArtefactName): StepSpec {
  const step = job.steps.find((s) => fileOf(s).name === file);
  if (step === undefined) throw new Error(`no step makes ${file}`);
  return step;
}

/** The format that a file name's ending says. */
export function formatOf(name: ArtefactName): "csv" | "parquet" | "xlsx" {
  return name.slice(name.lastIndexOf(".") + 1) as "csv" | "parquet" | "xlsx";
}

/** The kind of a validated check: its one filled field besides name and severity. */
export function kindOf(check: CheckSpec): CheckKind {
  const kind = CHECK_KINDS.find((k) => check[k] !== undefined);
  if (!kind) throw new Error("a check has no kind");
  return kind;
}

/** The parsed form of `-abs(delta)`. */
export function orderOf(item: string): { column: string; abs: boolean; down: boolean } {
  const m = /^(-?)(?:abs\((.+)\)|(.+))$/.exec(item);
  if (!m) throw new Error(`not an order item: ${item}`);
  return { column: m[2] ?? m[3] ?? "", abs: m[2] !== undefined, down: m[1] === "-" };
}
