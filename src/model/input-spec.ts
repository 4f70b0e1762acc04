import { z } from "zod";
import { TYPE_FORMS, TypeText } from "./columns.js";
import { ColumnName } from "./ids.js";

/** How many of something. */
export const Count = z.int().min(0);

/** A list that names at least one thing. */
export const names = <T extends z.ZodType>(of: T) => z.array(of).min(1, "name at least one");

/** One column of an input and how the source writes it. */
export const InputColumnSpec = z.strictObject({
  type: TypeText.describe(TYPE_FORMS),
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
  TypeText.transform((type): InputColumnSpec => ({ type })).describe(TYPE_FORMS),
  InputColumnSpec,
]);

/** What a job says of one input: its files, its columns, and what in them is no row. */
export const InputSpec = z.strictObject({
  file: z
    .string()
    .min(1)
    .regex(/^(?!.*(^|\/)\.\.(\/|$))[^/].*$/, "a file pattern is relative to the inputs folder")
    .describe("name or pattern (* and ?) within the inputs folder"),
  columns: z
    .record(ColumnName, InputColumn)
    .describe("by the name that SQL uses: a type, or a type and how the source writes it"),
  key: names(ColumnName)
    .optional()
    .describe("columns that identify a row; checked to be unique and not null"),
  csv: z
    .strictObject({
      delimiter: z
        .string()
        .length(1, "a delimiter is one character")
        .optional()
        .describe("between fields, ',' by default"),
      quote: z
        .string()
        .length(1, "a quote is one character")
        .optional()
        .describe("around a field, '\"' by default"),
      header: z
        .boolean()
        .optional()
        .describe("false: the first record is data and columns come in the declared order"),
    })
    .optional()
    .describe("how a CSV file is written, where it differs from the default"),
  skip: z
    .strictObject({
      first: Count.optional().describe("lines before the header"),
      last: Count.optional().describe("records at the end: a footer or totals"),
      starting_with: names(z.string().min(1))
        .optional()
        .describe("records whose first field starts so: totals, notes"),
    })
    .optional()
    .describe("what the file holds that is no row; counted, never silent"),
  extra_columns: z
    .enum(["refuse", "ignore"])
    .optional()
    .describe("columns of the file that are not declared: refuse (default) or ignore"),
  rejects: z
    .strictObject({ max: Count.describe("more rejects than this fail the run") })
    .optional()
    .describe("how many rejects are tolerated, 0 by default"),
  allow_empty: z.boolean().optional().describe("a file without rows is fine"),
  keep: z
    .enum(["file", "hash"])
    .optional()
    .describe("hash: the pinned file is not kept in the store"),
});
export type InputSpec = z.infer<typeof InputSpec>;
