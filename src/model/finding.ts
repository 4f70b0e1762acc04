import { z } from "zod";

/**
 * One thing that a check found. Counts and locations only; the rows are in `failed_rows` (I018).
 */
export const Finding = z.object({
  check: z.string(),
  artefact: z.string(),
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  /** Rows that fail, all of them counted; 0 when the finding is not about rows. */
  rows: z.int(),
  failed_rows: z
    .string()
    .nullable()
    .describe("path of the failing rows in full, relative to the attempt"),
});
export type Finding = z.infer<typeof Finding>;

/** What became of one check on one artefact. */
export const CheckRecord = z.object({
  name: z.string(),
  kind: z.string(),
  severity: z.enum(["error", "warning"]),
  passed: z.boolean(),
  rows: z.int().describe("failing rows"),
});
export type CheckRecord = z.infer<typeof CheckRecord>;
