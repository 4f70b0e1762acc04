import type { CheckRecord } from "./finding.js";
import type { AsOf, RunId, Sha256 } from "./ids.js";
import type { LoadedJob } from "./job.js";
import type { AttemptLayout } from "./layout.js";
import type { Manifest } from "./manifest.js";
import type {
  Commit,
  ComputeRecord,
  InputRecord,
  PreviousRecord,
  Receipts,
  SealedFile,
  StepRecord,
  StoredDoc,
  VerifyRecord,
} from "./records.js";
import type { Relation } from "./relation.js";

/**
 * A run's state is a type per stage: what each has proven when it is over. Plain fields; only
 * `advance` (stages/stage.ts) makes a `State`, so a wrong order or a forged state does not compile.
 */
export interface Held extends LoadedJob {
  readonly run_id: RunId;
  readonly as_of: AsOf;
  readonly job_sha256: Sha256;
  readonly supersedes: { readonly run_id: RunId; readonly reason: string } | null;
}
export interface Claimed extends Held {
  readonly attempt: number;
  readonly layout: AttemptLayout;
  readonly started_at: string;
}
export interface Pinned extends Claimed {
  readonly inputs: readonly InputRecord[];
  readonly previous: readonly PreviousRecord[];
  /** What the first step may read, by name. */
  readonly relations: readonly Relation[];
}
export interface Computed extends Pinned {
  readonly steps: readonly StepRecord[];
  readonly drafts: ComputeRecord["drafts"];
}
export interface Verified extends Computed {
  readonly checks: Readonly<Record<string, readonly CheckRecord[]>>;
  readonly findings: VerifyRecord["findings"];
  readonly failed_rows: readonly SealedFile[];
}
export interface Closed extends Verified {
  readonly manifest: Manifest;
  readonly manifest_file: SealedFile;
}
export interface Committed {
  readonly run_id: RunId;
  readonly manifest: Manifest;
  readonly receipts: Receipts;
  readonly commit: Commit;
  readonly committed: StoredDoc;
}
export interface TornDown extends Committed {
  /** Objects freshly proven to be in the store before the folder went. */
  readonly proven: number;
}

export interface States {
  readonly held: Held;
  readonly claimed: Claimed;
  readonly pinned: Pinned;
  readonly computed: Computed;
  readonly verified: Verified;
  readonly closed: Closed;
  readonly committed: Committed;
  readonly torn_down: TornDown;
}
export type StateName = keyof States;
