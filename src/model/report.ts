import { z } from "zod";
import { ControlTotal } from "./compute.js";
import { Finding } from "./finding.js";
import { ArtefactName, AsOf, JobName, RunId, Sha256 } from "./ids.js";
import { Figure, type Manifest } from "./manifest.js";
import { Keeping } from "./retention.js";

/** Of a run's answer: what it stands on is not what is before it now. */
const WhyOutdated = z
  .string()
  .nullable()
  .describe("why its previous run, or one before that, is not the one it was made from");

/** A person's copy of an artefact, and what became of it. */
export const Sharing = z.object({
  artefact: ArtefactName,
  destination: z.string().describe("as the job names it, and tieout.yaml under shares"),
  to: z.string().describe("name of the copy in the destination"),
  state: z.enum(["shared", "pending", "not shared"]),
  why: z.string().nullable().describe("null when it is shared"),
});
export type Sharing = z.infer<typeof Sharing>;

export const ShareAnswer = z.object({ run_id: RunId, shares: z.array(Sharing) });
export type ShareAnswer = z.infer<typeof ShareAnswer>;

const UNCOMMITTED =
  "attempts with a whole manifest that no commit names: they ended just before it, or it is lost";

/** What `status` says of one run id. Times are ISO 8601 in UTC. */
export const StatusAnswer = z.object({
  run_id: RunId,
  state: z
    .enum(["committed", "running", "failed", "abandoned"])
    .describe(
      "running: a claim holds; failed: released without a commit; abandoned: its claim ran out",
    ),
  attempt: z.int().nullable(),
  owner: z.string().nullable(),
  until: z.string().nullable().describe("until when the claim holds"),
  stage: z
    .string()
    .nullable()
    .describe("the last event of the latest attempt's journal on this machine"),
  local_folder: z.boolean().describe("whether the run still has a folder on this machine"),
  failure: z
    .object({ stage: z.string(), code: z.string(), message: z.string(), remedy: z.string() })
    .nullable(),
  outcome: z.string().nullable(),
  finished_at: z.string().nullable(),
  superseded_by: RunId.nullable().describe("the latest statement of the same date, if another"),
  kept: Keeping.nullable().describe("for how long, and its ledger; null while it is not committed"),
  outdated: WhyOutdated,
  shares: z.array(Sharing).describe("people's copies of a committed run"),
  uncommitted: z.array(z.int()).describe(UNCOMMITTED),
});
export type StatusAnswer = z.infer<typeof StatusAnswer>;

export const ListAnswer = z.object({
  runs: z.array(
    z.object({
      run_id: RunId,
      job: JobName,
      as_of: AsOf,
      attempt: z.int(),
      outcome: z.string(),
      finished_at: z.string(),
      artefacts: z.int(),
      held: z.boolean(),
      purged: z.int().describe("files that were purged"),
      superseded_by: RunId.nullable(),
      outdated: WhyOutdated,
    }),
  ),
  runs_total: z.int().describe("committed runs that match, before the limit"),
});
export type ListAnswer = z.infer<typeof ListAnswer>;

const SqlStep = z.object({
  name: z.string(),
  by: z.string(),
  sql: z.string().describe("the SQL as it was written; it is also a record of the run"),
  sql_sha256: Sha256,
  reads: z.array(z.string()),
});

/** A number back to its file, its SQL and its sources, all by hash; or what can be traced. */
export const TraceAnswer = z.object({
  run_id: RunId,
  outdated: WhyOutdated,
  manifest: z.object({ key: z.string(), version: z.string(), sha256: Sha256 }),
  traceable: z
    .object({
      figures: z.array(Figure),
      artefacts: z.array(z.object({ path: z.string(), rows: z.int(), sha256: Sha256 })),
    })
    .optional()
    .describe("all that can be traced, when nothing was named; then nothing else is filled"),
  figure: Figure.nullable(),
  artefact: z
    .object({
      path: z.string(),
      key: z.string(),
      version: z.string(),
      sha256: Sha256,
      size_bytes: z.int(),
      rows: z.int(),
      checks_passed: z.int(),
      checks_total: z.int(),
      retain_until: z.string(),
      kept_until: z.string().describe("by the manifest, the ledger and the store, the latest"),
      mode: Keeping.shape.mode,
      held: z.boolean(),
      purged: z.string().nullable().describe("when it was purged"),
    })
    .nullable()
    .describe("null only when nothing was named"),
  steps: z
    .array(SqlStep)
    .describe("the step that made the artefact first, then those that it reads"),
  inputs: z.array(
    z.object({
      name: z.string(),
      rows: z.int(),
      rejected: z.int(),
      skipped: z.int(),
      files: z.array(z.object({ source: z.string(), sha256: Sha256, key: z.string().nullable() })),
    }),
  ),
  previous: z.array(
    z.object({
      name: z.string(),
      run_id: RunId.nullable(),
      key: z.string().nullable(),
      sha256: Sha256.nullable(),
    }),
  ),
});
export type TraceAnswer = z.infer<typeof TraceAnswer>;

export const DiffAnswer = z.object({
  left: RunId,
  right: RunId,
  job_changed: z.boolean(),
  inputs: z.array(
    z.object({
      name: z.string(),
      changed: z.boolean(),
      rows_left: z.int().nullable(),
      rows_right: z.int().nullable(),
    }),
  ),
  artefacts: z.array(
    z.object({
      path: z.string(),
      same_bytes: z.boolean(),
      rows_left: z.int().nullable().describe("null: that run has no such artefact"),
      rows_right: z.int().nullable(),
      only_left: z
        .int()
        .nullable()
        .describe(
          "rows that the right does not have, repeats counted; null when the columns differ",
        ),
      only_right: z.int().nullable(),
      totals_left: z.array(ControlTotal),
      totals_right: z.array(ControlTotal),
    }),
  ),
  figures: z.array(
    z.object({ name: z.string(), left: z.string().nullable(), right: z.string().nullable() }),
  ),
});
export type DiffAnswer = z.infer<typeof DiffAnswer>;

/** One broken invariant, by its number. */
export const Breach = z.object({
  invariant: z.string().regex(/^I\d{3}$/),
  subject: z.string(),
  message: z.string(),
});
export type Breach = z.infer<typeof Breach>;

export const RecheckAnswer = z.object({
  run_id: RunId,
  sound: z.boolean().describe("nothing that was looked at is broken"),
  complete: z.boolean().describe("every file was made again and every check was run"),
  breaches: z.array(Breach),
  not_named: z
    .array(z.string())
    .describe("keys below the run's prefix that no document of the run names; no breach"),
  purged: z
    .array(z.string())
    .describe("files that the run's ledger says were purged; no breach, and not looked at"),
  objects: z.int().describe("objects of the store that were read and hashed"),
  size_bytes: z.int(),
  files_made_again: z
    .int()
    .describe("files of steps that their kept SQL gave again, byte for byte, scratch included"),
  not_made_again: z.array(z.string()).describe("steps that were not, each with its reason"),
  checks_run: z.int(),
  checks_not_run: z
    .array(z.string())
    .describe("checks that read what was neither kept nor made again"),
  figures_computed: z.int(),
});
export type RecheckAnswer = z.infer<typeof RecheckAnswer>;

export type ListedArtefact = Manifest["artefacts"][number];

const Kept = z.object({
  path: z.string(),
  key: z.string(),
  version: z.string(),
  rows: z.int(),
  size_bytes: z.int(),
  sha256: Sha256,
});

/** What a run came to. Only a committed run has an answer; every other end is an error. */
export const RunAnswer = z.object({
  run_id: RunId,
  attempt: z.int(),
  repeated: z.boolean().describe("true: it was committed before, and nothing was touched"),
  supersedes: z
    .object({ run_id: RunId, reason: z.string() })
    .nullable()
    .describe("the earlier statement of the same date that this one replaces"),
  uncommitted: z.array(z.int()).describe(UNCOMMITTED),
  outcome: z.string(),
  exit: z.int(),
  pending: z
    .string()
    .nullable()
    .describe("what of sharing, superseding or teardown is left to do, and why; exit 10"),
  shares: z.array(Sharing),
  previous: z.array(z.object({ name: z.string(), run_id: RunId.nullable(), rows: z.int() })),
  inputs: z.array(
    z.object({ name: z.string(), rows: z.int(), rejected: z.int(), skipped: z.int() }),
  ),
  artefacts: z.array(Kept),
  figures: z.array(Figure),
  findings: z.array(Finding),
  discarded: z.array(z.object({ path: z.string(), rows: z.int() })),
  summary: z.string(),
  manifest: z.object({ key: z.string(), version: z.string(), sha256: Sha256 }),
});
export type RunAnswer = z.infer<typeof RunAnswer>;

/** One of several runs that were made in turn. */
const Night = RunAnswer.pick({
  run_id: true,
  repeated: true,
  outcome: true,
  exit: true,
  pending: true,
});

/** A run, or the last of a range of dates with all of it in `nights`. */
export const RunsAnswer = RunAnswer.extend({
  nights: z.array(Night).optional().describe("of a range: the run of each date, in order"),
});
export type RunsAnswer = z.infer<typeof RunsAnswer>;

export const RechainAnswer = z.object({
  job: JobName,
  restated: z.array(Night).describe("in order of date; empty when no run was outdated"),
});
export type RechainAnswer = z.infer<typeof RechainAnswer>;

const MistakeAnswer = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  message: z.string(),
  expected: z.string(),
  nearest: z.string().nullable(),
});

export const CheckAnswer = z.object({
  job: JobName,
  valid: z.boolean(),
  mistakes: z.array(MistakeAnswer),
  unused: z.array(z.string()).describe("SQL files of the folder that the job does not name"),
});
export type CheckAnswer = z.infer<typeof CheckAnswer>;

export const ConfigAnswer = z.object({
  settings: z.array(
    z.object({ name: z.string(), value: z.string(), origin: z.string(), from: z.string() }),
  ),
  ignored: z.array(z.string()).describe("variables TIEOUT_* that are no setting"),
  mistakes: z
    .array(MistakeAnswer)
    .describe("while there is one, no other command works and the values may not be those meant"),
});
export type ConfigAnswer = z.infer<typeof ConfigAnswer>;
