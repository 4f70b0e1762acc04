import { z } from "zod";
import { TieoutError } from "./errors.js";
import type { Table } from "./relation.js";

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

/**
 * The checks of a run failed: every finding. `evidence` has the first failing rows by check, for a
 * person's terminal alone: what is serialised or logged has none (I018).
 */
export class ChecksFailed extends TieoutError {
  readonly findings: readonly Finding[];
  readonly evidence: ReadonlyMap<string, Table>;
  constructor(findings: readonly Finding[], evidence: ReadonlyMap<string, Table>) {
    const errors = findings.filter((f) => f.severity === "error");
    super("CHECK_FAILED", {
      subject: [...new Set(errors.map((f) => f.artefact))].join(", "),
      cause: errors.map((f) => `${f.check}: ${f.message}`).join("; "),
      remedy: "look at the failing rows, then mend the input or the step's SQL and run again",
      at: { errors: errors.length, warnings: findings.length - errors.length },
    });
    this.findings = findings;
    this.evidence = evidence;
  }
  override toJSON(): ReturnType<TieoutError["toJSON"]> & { findings: readonly Finding[] } {
    return { ...super.toJSON(), findings: this.findings };
  }
}
