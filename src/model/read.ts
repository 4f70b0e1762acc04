import { z } from "zod";
import { CAPS } from "./caps.js";
import { Column } from "./columns.js";
import { RelationRef } from "./ids.js";
import { AGGREGATES } from "./job.js";
import { Conditions } from "./predicate.js";

/**
 * The bounded reads: what is asked and what is answered. Shapes are flat, so that an operation can
 * add its own fields (the run) and a model provider accepts the schema; unknown keys are refused.
 */
const columnName = z
  .string()
  .max(63, "a column's name has at most 63 characters: describe lists them");
const distinct = (names: readonly string[]): boolean => new Set(names).size === names.length;

const relation = RelationRef.describe("an input, a step, previous.<name> or log.<name>");
const n = z
  .int("n is a whole number of rows")
  .min(1, "ask for at least one row; describe gives counts without rows")
  .max(CAPS.rows.most, `ask for at most ${CAPS.rows.most} rows and pass next for more`)
  .optional()
  .describe(`rows to return, ${CAPS.rows.default} by default`);
const columns = z
  .array(columnName)
  .min(1, "name at least one column, or leave columns out")
  .max(CAPS.columns.most, `name at most ${CAPS.columns.most} columns`)
  .refine(distinct, "name each column once")
  .optional()
  .describe(`columns to return, in this order; the first ${CAPS.columns.default} by default`);
const next = z
  .string()
  .regex(/^[0-9]{1,16}-[0-9a-f]{8}-[0-9a-f]{8}$/, "pass next as the answer before gave it")
  .optional()
  .describe("goes on where the answer before stopped; pass the other fields unchanged");
const all = Conditions.describe("conditions that all must hold");

/** The first rows, or the last, in file order; `next` of tail goes backwards. */
export const HeadShape = { relation, n, columns, next };
export const TailShape = HeadShape;

/** The rows for which all conditions hold, in file order. */
export const WhereShape = {
  relation: relation.optional(),
  relations: z
    .array(RelationRef)
    .min(2, "relations names at least two texts; for one, use relation")
    .max(8, "relations names at most 8 texts")
    .refine(distinct, "name each relation once")
    .optional()
    .describe("several texts (log.<name>) at once, instead of relation"),
  all,
  n,
  columns,
  context: z
    .int("context is a whole number of lines")
    .min(0, "context is 0 to 5 lines")
    .max(5, "context is at most 5 lines: read around a line with where line between")
    .optional()
    .describe("lines to show before and after each match, on texts only"),
  next,
};

/** One number, or one for each group. */
export const AggregateShape = {
  relation,
  fn: z
    .enum(AGGREGATES, `fn is one of ${AGGREGATES.join(", ")}`)
    .describe("avg is refused on money; a money sum always answers per currency"),
  column: columnName.optional().describe("left out only with count, which then counts rows"),
  by: z
    .array(columnName)
    .min(1, "name a column to group by, or leave by out")
    .max(2, "group by at most two columns")
    .refine(distinct, "name each column once")
    .optional(),
  all: all.optional(),
};

/** Without a relation: what can be read. With one: its columns. Never a cell. */
export const DescribeShape = {
  relation: relation.optional(),
  like: z
    .string()
    .min(1, "like is a part of a name")
    .max(63, "like is a part of a name, at most 63 characters")
    .optional()
    .describe("only names that contain this text, taken literally"),
};

export const HeadInput = z.strictObject(HeadShape);
export type HeadInput = z.infer<typeof HeadInput>;
export const TailInput = z.strictObject(TailShape);
export type TailInput = z.infer<typeof TailInput>;
export const WhereInput = z.strictObject(WhereShape);
export type WhereInput = z.infer<typeof WhereInput>;
export const AggregateInput = z.strictObject(AggregateShape);
export type AggregateInput = z.infer<typeof AggregateInput>;
export const DescribeInput = z.strictObject(DescribeShape);
export type DescribeInput = z.infer<typeof DescribeInput>;

/** A cell that was cut: its first characters, and how many it has (Unicode code points). */
const Clipped = z.strictObject({ clipped: z.string(), chars: z.int() });
/** Canonical text with unseen characters escaped (visible.ts), or null, or a clipped cell. */
export const Cell = z.union([z.string(), z.null(), Clipped]);
export type Cell = z.infer<typeof Cell>;

export const CutBy = z.enum(["tokens", "bytes", "cells", "columns", "groups"]);
export type CutBy = z.infer<typeof CutBy>;

const cut = {
  /** Less came back than was asked for and is there; `truncated_by` says why. */
  truncated: z.boolean(),
  truncated_by: z.array(CutBy).optional().describe("left out when nothing was cut"),
};
const cells_clipped = z.int().optional().describe("left out when 0");
const estimated_tokens = z.int().describe("of this whole answer, serialised");

/** The answer of head, tail and where. Rows are arrays of cells, in the order of `columns`. */
export const ReadAnswer = z.object({
  relation: z.string(),
  rows_total: z.int().describe("rows of the relation, recorded when it was sealed"),
  rows_matched: z.int().describe("rows that fulfil the conditions, counted"),
  rows_with_context: z.int().optional().describe("matches and the lines around them, counted"),
  rows_returned: z.int(),
  more_rows: z.boolean().describe("whether next leads to further rows"),
  ...cut,
  cells_clipped,
  columns_total: z.int(),
  columns: z.array(Column),
  rows: z.array(z.array(Cell)),
  next: z.string().optional(),
  notice: z.string(),
  estimated_tokens,
});
export type ReadAnswer = z.infer<typeof ReadAnswer>;

const amount = {
  /** A count is an integer; another value is canonical text; null over no rows. */
  value: z.union([z.int(), Cell]),
  unit: z
    .string()
    .nullable()
    .optional()
    .describe("the currency of an amount; null: not one of ISO 4217"),
  rows: z.int(),
  null_count: z.int(),
};
export const Group = z.object({ by: z.array(Cell), ...amount });
export type Group = z.infer<typeof Group>;

/**
 * The answer of aggregate. `value` where there is one number; `groups` where there are several, the
 * greatest value first. An amount whose currency differs by row is always in groups, by currency.
 */
export const AggregateAnswer = z.object({
  relation: z.string(),
  rows_total: z.int(),
  rows_matched: z.int(),
  fn: z.enum(AGGREGATES),
  column: z.string().optional(),
  value: amount.value.optional(),
  unit: z.string().optional(),
  exact: z.literal(false).optional().describe("the value was rounded: an average"),
  null_count: z.int().describe("rows, among those matched, whose column is null"),
  ...cut,
  cells_clipped,
  groups_total: z.int().optional(),
  by: z.array(z.string()).optional().describe("the columns that groups are keyed by"),
  groups: z.array(Group).optional(),
  notice: z.string(),
  estimated_tokens,
});
export type AggregateAnswer = z.infer<typeof AggregateAnswer>;

/**
 * What can be said of a relation without a cell. `made_at` is ISO 8601 in UTC, null when unknown.
 */
export const RelationSummary = z.object({
  relation: z.string(),
  kind: z.enum(["input", "rejects", "previous", "scratch", "artefact", "draft", "text"]),
  rows: z.int(),
  columns: z.int(),
  made_at: z.string().nullable(),
});
export type RelationSummary = z.infer<typeof RelationSummary>;

/** The answer of describe: `relations` without a relation, `columns` with one. */
export const DescribeAnswer = z.object({
  relation: z.string().optional(),
  rows_total: z.int().optional(),
  columns_total: z.int().optional(),
  relations_total: z.int().optional(),
  ...cut,
  columns: z.array(Column).optional(),
  relations: z.array(RelationSummary).optional(),
  notice: z.string(),
  estimated_tokens,
});
export type DescribeAnswer = z.infer<typeof DescribeAnswer>;
