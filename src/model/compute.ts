import { z } from "zod";
import { Column } from "./columns.js";
import { Finding } from "./finding.js";
import { ArtefactName, RelationName } from "./ids.js";

/** What `compute` takes: one SELECT over the run's relations, and the declared file it is for. */
export const ComputeInput = z.strictObject({
  sql: z.string().min(1).describe("one SELECT over the run's relations, at most 20,000 bytes"),
  target: ArtefactName.optional().describe(
    "a file that the step declares; without it the result is scratch, named q01, q02, …",
  ),
});
export type ComputeInput = z.infer<typeof ComputeInput>;

export const ControlTotal = z.object({
  column: z.string(),
  unit: z.string().nullable(),
  sum: z.string().nullable().describe("exact decimal text; null over no rows"),
});
export type ControlTotal = z.infer<typeof ControlTotal>;

/** A pointer and what code computed of it; its size does not grow with the data. */
export const ComputeAnswer = z.object({
  relation: RelationName,
  file: ArtefactName.optional(),
  draft: z.int().describe("how many drafts of this file there have been"),
  rows: z.int(),
  columns: z.array(Column),
  control_totals: z.array(ControlTotal),
  first_rows: z.array(z.array(z.unknown())).describe("at most five, in the file's order"),
  changed: z
    .object({ rows_before: z.int(), same_bytes: z.boolean() })
    .optional()
    .describe("against the draft before"),
});
export type ComputeAnswer = z.infer<typeof ComputeAnswer>;

export const FinishInput = z.strictObject({});
export type FinishInput = z.infer<typeof FinishInput>;

/** Findings of the last drafts; with an error among them the step goes on. */
export const FinishAnswer = z.object({ finished: z.boolean(), findings: z.array(Finding) });
export type FinishAnswer = z.infer<typeof FinishAnswer>;
