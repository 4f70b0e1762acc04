import type { RelationRef, RunId } from "../model/ids.js";
import type { RelationSummary } from "../model/read.js";
import type { Relation } from "../model/relation.js";

/** A relation of a run that may be asked for. */
export interface Entry {
  readonly name: RelationRef;
  readonly kind: RelationSummary["kind"];
  readonly rows: number;
  readonly columns: number;
  readonly made_at: string | null;
  /** Changes when the bytes behind the relation do: cursors are bound to it. */
  readonly tag: string;
  /** Null: it was discarded; then `instead` says what is known of it. */
  readonly open: (() => Promise<Relation>) | null;
  readonly instead: string;
}

/** All that a run lets itself be asked, live or committed. */
export interface Catalogue {
  readonly run_id: RunId;
  readonly state: "live" | "committed";
  readonly entries: readonly Entry[];
}
