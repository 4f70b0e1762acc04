import { z } from "zod";
import { StoreFacts } from "./capabilities.js";
import { Column } from "./columns.js";
import { CheckRecord, Finding } from "./finding.js";
import { ArtefactName, AsOf, JobName, RelationName, RelationRef, RunId, Sha256 } from "./ids.js";

/**
 * A named value that code computed from a sealed artefact and that can be computed again (I012).
 */
export const Figure = z.object({
  name: z.string(),
  /** Canonical text of a scalar; null over no rows. */
  value: z.string().nullable(),
  /** Per currency where the column's currency differs by row. */
  by_currency: z.record(z.string(), z.string()).optional(),
  /** The first rows of the artefact, for a `top` figure. */
  rows: z.array(z.record(z.string(), z.string().nullable())).optional(),
  unit: z.string().nullable(),
  artefact: ArtefactName,
  aggregate: z.string().nullable(),
  column: z.string().nullable(),
});
export type Figure = z.infer<typeof Figure>;

const KeptFile = z.object({ path: z.string(), sha256: Sha256, size_bytes: z.int() });

/**
 * What a run is. Written last, locally and in the store; whoever finds one finds all that it lists
 * (I004). Read tolerantly (unknown keys pass), written from this type alone.
 */
export const Manifest = z.object({
  schema: z.literal("tieout/manifest/1"),
  run_id: RunId,
  job: JobName,
  owner: z.string(),
  attempt: z.int(),
  as_of: AsOf,
  supersedes: z.object({ run_id: RunId, reason: z.string() }).nullable(),
  started_at: z.string(),
  finished_at: z.string(),
  status: z.literal("complete"),
  outcome: z.enum(["complete", "warnings"]),
  exit: z.int(),
  inputs: z.array(
    z.object({
      name: RelationName,
      keep: z.enum(["file", "hash"]),
      files: z.array(
        z.object({
          source: z.string(),
          sha256: Sha256,
          size_bytes: z.int(),
          key: z.string().nullable(),
        }),
      ),
      columns: z.array(Column),
      rows: z.int(),
      rejected: z.int(),
      skipped: z.int(),
      records: z.int(),
      rejects: KeptFile.nullable(),
      witnesses: z.array(z.never()),
    }),
  ),
  previous: z.array(
    z.object({
      name: RelationName,
      run_id: RunId.nullable().describe("null: there was no earlier run"),
      path: ArtefactName.nullable(),
      key: z.string().nullable(),
      version: z.string().nullable(),
      sha256: Sha256.nullable(),
      size_bytes: z.int().nullable(),
      format: z.enum(["csv", "parquet"]).nullable(),
      columns: z.array(Column),
      rows: z.int(),
    }),
  ),
  steps: z.array(
    z.object({
      step: z.int(),
      name: RelationName,
      by: z.enum(["sql", "recipe", "agent"]),
      sql: z.string().describe("path of the SQL that ran, among the records"),
      sql_sha256: Sha256,
      reads: z.array(RelationRef),
      conservation: z
        .object({ of: z.array(RelationRef), rows: z.int() })
        .nullable()
        .describe("null: not asserted (I007)"),
      adopted_from: z.int().nullable(),
    }),
  ),
  artefacts: z.array(
    KeptFile.extend({
      path: ArtefactName,
      step: z.int(),
      relation: RelationName,
      rows: z.int(),
      overflow: z.int().describe("rows past the format's limit: in the twin, not in the file"),
      verified: z.literal(true),
      retain_days: z.int(),
      retain_until: z.string(),
      share: z.string().nullable(),
      order_by: z.array(z.string()),
      columns: z.array(Column),
      checks: z.array(CheckRecord),
      control_totals: z.array(
        z.object({ column: z.string(), unit: z.string().nullable(), sum: z.string().nullable() }),
      ),
      twin: KeptFile.nullable(),
    }),
  ),
  records: z.array(KeptFile),
  figures: z.array(Figure),
  findings: z.array(Finding).describe("warnings; a run with errors has no manifest"),
  discarded: z.array(
    KeptFile.extend({
      relation: RelationName,
      rows: z.int(),
      columns: z.array(Column),
      reason: z.string(),
    }),
  ),
  engine: z.object({
    name: z.string(),
    version: z.string(),
    settings: z.record(z.string(), z.string()),
  }),
  versions: z.record(z.string(), z.string().nullable()),
  store: StoreFacts.optional().describe("absent in manifests of before it was recorded"),
  job_sha256: Sha256,
  journal_head: Sha256,
  journal_lines: z.int(),
});
export type Manifest = z.infer<typeof Manifest>;
