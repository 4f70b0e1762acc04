import { z } from "zod";
import { TYPE_FORMS, TypeText } from "./columns.js";
import { ArtefactName, ColumnName, JobName, RelationName, RelationRef } from "./ids.js";
import { Count, InputSpec, names } from "./input-spec.js";

export { InputColumnSpec, InputSpec } from "./input-spec.js";

/**
 * A job as data: what `job.yaml` says, after parsing. `documents/job.ts` turns text into this with
 * lines and columns; `problems.ts` says what one field alone cannot (references between parts).
 * `schemas/job.schema.json` is generated from here.
 */
const SqlFile = z
  .string()
  .regex(
    /^(?:[a-z0-9_][a-z0-9_.-]*\/)*[a-z0-9_][a-z0-9_.-]*\.sql$/,
    "an SQL file is named relative to the job's folder and ends in .sql",
  );

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
    .optional()
    .describe("what findings call it; by default made from its kind and columns"),
  severity: SEVERITY.optional().describe("error (default) fails the run; a warning is recorded"),
  rows: z
    .strictObject({
      min: Count.optional().describe("at least so many, inclusive"),
      max: Count.optional().describe("at most so many, inclusive"),
      equals: z.string().optional().describe("a SELECT of one number over the run's relations"),
    })
    .optional()
    .describe("how many rows there are"),
  unique: names(ColumnName).optional().describe("no two rows agree in all these columns"),
  not_null: names(ColumnName).optional().describe("each of these columns has a value in every row"),
  values: z
    .strictObject({
      column: ColumnName.describe("whose values"),
      in: names(Scalar).describe("exact values; decimals in quotes"),
    })
    .optional()
    .describe("every value of a column is one of a list; a null passes"),
  range: z
    .strictObject({
      column: ColumnName.describe("whose values"),
      min: Scalar.optional().describe("the least value, itself allowed; decimals in quotes"),
      max: Scalar.optional().describe("the greatest value, itself allowed; decimals in quotes"),
    })
    .optional()
    .describe("both ends inclusive"),
  control_total: z
    .strictObject({
      column: ColumnName.describe("whose sum"),
      equals: z
        .string()
        .describe("a SELECT of one number over the run's relations; compared exactly"),
    })
    .optional()
    .describe("the sum of a column is a number computed elsewhere"),
  sql: SqlFile.optional().describe(
    "a SELECT that must return no rows; the artefact is read by its step's name",
  ),
});
export type CheckSpec = z.infer<typeof CheckSpec>;

const OrderText = z
  .string()
  .regex(
    /^-?(?:[a-z_][a-z0-9_]{0,62}|abs\([a-z_][a-z0-9_]{0,62}\))$/,
    "an order item is column, -column, abs(column) or -abs(column), never SQL",
  );

export const ArtefactSpec = z.strictObject({
  title: z.string().min(1).max(80).optional().describe("what people call it; a sheet's name"),
  order_by: names(OrderText).describe(
    "column, -column, abs(column) or -abs(column); the remaining columns break ties",
  ),
  retain_days: z
    .int()
    .min(1)
    .max(36_500)
    .describe("days from the run's end for which the store keeps it"),
  share: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*$/, "a share is the name of a destination in tieout.yaml")
    .optional()
    .describe("where a copy for people goes after the run"),
  columns: z
    .record(ColumnName, TypeText.describe(TYPE_FORMS))
    .describe("name and type of each column, in the file's order; values are cast exactly"),
  checks: z.array(CheckSpec).optional().describe("what must be true of it before it is sealed"),
});
export type ArtefactSpec = z.infer<typeof ArtefactSpec>;

export const StepSpec = z.strictObject({
  name: RelationName.describe("how later steps and reads name its rows"),
  sql: SqlFile.optional().describe("one SELECT over inputs, previous artefacts and earlier steps"),
  agent: z
    .strictObject({ instruction: z.string().min(1).describe("what is to be found out or made") })
    .optional()
    .describe("a step done through operations by whoever drives the run, until finish"),
  scratch: ArtefactName.optional().describe("an intermediate file, .csv or .parquet, discarded"),
  artefact: ArtefactName.optional().describe("a file that is kept; declared under artefacts"),
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

export const FigureSpec = z.strictObject({
  artefact: ArtefactName.describe("the artefact that it is computed from, after sealing"),
  aggregate: z.enum(AGGREGATES).optional().describe("one value over all rows"),
  column: ColumnName.optional().describe("what is aggregated; not for count"),
  top: z.int().min(1).max(20).optional().describe("so many first rows in the artefact's order"),
  columns: names(ColumnName).optional().describe("which columns of the top rows"),
});
export type FigureSpec = z.infer<typeof FigureSpec>;

const FigureName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, "a figure is named with a-z, 0-9 and _");

export const Job = z.strictObject({
  job: JobName.describe("its name, the same as its folder's: a-z, 0-9 and -"),
  title: z.string().min(1).max(200).optional().describe("one line for people"),
  owner: z
    .string()
    .regex(/^[a-z0-9][a-z0-9@._-]*$/i, "an owner is a team or a mailbox")
    .describe("who answers for the job; every kept object carries it"),
  as_of: z
    .strictObject({
      zone: z.string().describe("an IANA time zone such as Europe/Paris"),
      days: z.int().min(-366).max(0).describe("0 is today, -1 yesterday"),
    })
    .optional()
    .describe("the as-of date when none is given: today in a zone, plus days"),
  inputs: z
    .record(RelationName, InputSpec)
    .describe("the files that come in, by the name that SQL uses"),
  previous: z
    .record(
      RelationName,
      z.strictObject({
        required: z.boolean().describe("false: without an earlier run it has no rows"),
      }),
    )
    .optional()
    .describe("artefacts of the run before, by the step that makes them; in SQL previous.<step>"),
  steps: names(StepSpec).describe("what is computed, in this order"),
  artefacts: z
    .record(ArtefactName, ArtefactSpec)
    .describe("the files that are kept, each made by one step"),
  figures: z
    .record(FigureName, FigureSpec)
    .optional()
    .describe("named values for the summary, computed from sealed artefacts"),
  summary: z
    .string()
    .regex(/^(?!.*\.\.)[a-z0-9][a-z0-9_./-]*\.md$/, "a summary is a .md file in the job's folder")
    .optional()
    .describe("template of the closing summary; numbers only as {{figure}}"),
  allow: z
    .strictObject({
      functions: names(
        z.string().regex(/^[a-z_][a-z0-9_]*$/, "a function is named with a-z, 0-9 and _"),
      ).describe("their names, as SQL calls them"),
    })
    .optional()
    .describe("further deterministic SQL functions for this job"),
});
export type Job = z.infer<typeof Job>;

/**
 * A job with the texts that it names, as loaded and as kept in its records: nothing else defines
 * a run.
 */
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
