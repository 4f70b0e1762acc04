import type { Agent } from "./agents/agent.js";
import type { Engine } from "./engines/engine.js";
import type { Folder } from "./folders/folder.js";
import type { Path } from "./model/ids.js";
import type { Progress } from "./model/progress.js";
import type { Reader } from "./readers/reader.js";
import type { Source } from "./sources/source.js";
import type { Store } from "./stores/store.js";
import type { Writer } from "./writers/writer.js";

/** Milliseconds since 1970; `every` calls `f` until the returned function is called. */
export interface Clock {
  readonly now: () => number;
  readonly every: (ms: number, f: () => Promise<void>) => () => void;
}

/** Events with locations and counts, never rows and never secrets (I018). */
export interface Log {
  readonly info: (event: string, at?: Readonly<Record<string, string | number>>) => void;
}

/** Where people's copies go: a copy is made once, whole or not at all, and never replaced. */
export type Destination = Pick<Store, "create" | "head">;

/** The configured destinations, by the names that jobs use. */
export interface Shares {
  readonly names: readonly string[];
  /** @param name one of `names` */
  readonly open: (name: string) => Promise<Destination>;
}

/** All that a stage may touch. Built in `wire.ts` alone; always the last argument. */
export interface Effects {
  /** Absolute; run folders and the read cache lie below it. */
  readonly root: Path;
  /** The exports of this run. */
  readonly inputs: Source;
  readonly folder: Folder;
  readonly engine: Engine;
  readonly reader: Reader;
  readonly writer: Writer;
  readonly store: Store;
  readonly shares: Shares;
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
  /** Who claims, unique to this Effects: host, process and a nonce; never a secret. */
  readonly owner: string;
  /** How long a claim holds without a heartbeat. */
  readonly ttl_ms: number;
  /** Recorded in the manifest. */
  readonly versions: Readonly<Record<string, string | null>>;
  readonly agent: Agent | null;
  /** Aborted when the process was asked to stop (SIGTERM, SIGINT). */
  readonly signal: AbortSignal;
}
