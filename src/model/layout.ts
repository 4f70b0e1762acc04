import { join, resolve } from "node:path";
import type { ArtefactName, JobName, Key, Path, RelationName, RunId, Sha256 } from "./ids.js";
import { partsOf } from "./ids.js";

/**
 * Every path of a run and every key of the store, as pure functions of (root, run id, attempt,
 * declared name). Nothing else in the project joins a path or spells a key (I001): names reach here
 * already parsed by `ids.ts`, so they hold no separator and no dot-dot.
 */
export interface AttemptLayout {
  readonly dir: Path;
  /** Folders that claim makes, parents first; nothing else ever makes one. */
  readonly folders: readonly Path[];
  readonly journal: Path;
  readonly manifest: Path;
  readonly sums: Path;
  readonly summary: Path;
  readonly failure: Path;
  readonly temp: Path;
  /** The n-th source file of an input, n from 0, as it came. */
  readonly pinned: (input: RelationName, n: number) => Path;
  /** The n-th source file of an input, typed. */
  readonly typed: (input: RelationName, n: number) => Path;
  /** Where a reader writes an input's rejects, before they are sealed as `rejects`. */
  readonly rejectsDraft: (input: RelationName) => Path;
  readonly rejects: (input: RelationName) => Path;
  readonly previous: (name: RelationName, file: ArtefactName) => Path;
  /** The k-th draft of a step's file, k from 1. */
  readonly draft: (step: RelationName, file: string, k: number) => Path;
  readonly scratch: (file: ArtefactName) => Path;
  readonly artefact: (file: ArtefactName) => Path;
  /** The Parquet twin of an artefact whose own format cannot be queried. */
  readonly twin: (file: ArtefactName) => Path;
  readonly record: (name: RecordName) => Path;
  readonly failedRows: (check: string) => Path;
  /** Any of the above by its name relative to the attempt, as manifests list it. */
  readonly at: (relative: RelativePath) => Path;
}

/**
 * A path relative to an attempt's folder, as manifests and receipts list it; made by `relativeTo`.
 */
export type RelativePath = string;
export type RecordName =
  | "job.json"
  | "journal.jsonl"
  | `sql/${string}.sql`
  | `checks/${string}.sql`;

export function runFolder(root: Path, run: RunId): Path {
  return join(root, run) as Path;
}

/** The folders of one attempt, `attempt` counted from 1. `root` must be absolute. */
export function attemptLayout(
  root: Path,
  run: RunId,
  attempt: number,
  steps: readonly RelationName[] = [],
): AttemptLayout {
  const dir = join(runFolder(root, run), `a${attempt}`) as Path;
  const at = (...parts: string[]): Path => join(dir, ...parts) as Path;
  return {
    dir,
    folders: [
      root,
      runFolder(root, run),
      dir,
      at("in"),
      at("previous"),
      at("work"),
      at("scratch"),
      at("temp"),
      at("records"),
      at("records", "checks"),
      at("records", "sql"),
      at("records", "twins"),
      at("records", "rejects"),
      ...steps.map((s) => at("work", s)),
    ],
    journal: at("journal.jsonl"),
    manifest: at("manifest.json"),
    sums: at("SHA256SUMS"),
    summary: at("summary.md"),
    failure: at("failure.json"),
    temp: at("temp"),
    pinned: (input, n) => at("in", `${input}.${n}`),
    typed: (input, n) => at("in", `${input}.${n}.parquet`),
    rejectsDraft: (input) => at("work", `${input}.rejects.csv`),
    rejects: (input) => at("records", "rejects", `${input}.csv`),
    previous: (name, file) => at("previous", `${name}.${file}`),
    draft: (step, file, k) => at("work", step, `${k}.${file}`),
    scratch: (file) => at("scratch", file),
    artefact: (file) => at(file),
    twin: (file) => at("records", "twins", `${file}.parquet`),
    record: (name) => at("records", name),
    failedRows: (check) => at("records", "checks", `${check}.failed.csv`),
    at: (relative) => at(relative),
  };
}

/** `path` as manifests list it. @throws Error when it does not lie in the attempt's folder. */
export function relativeTo(layout: Pick<AttemptLayout, "dir">, path: Path): RelativePath {
  if (!path.startsWith(`${layout.dir}/`)) throw new Error(`${path} is not a file of this attempt`);
  return path.slice(layout.dir.length + 1);
}

/** Attempt numbers from the names of a run's folder; other names give null. */
export function attemptOf(name: string): number | null {
  const m = /^a([1-9]\d*)$/.exec(name);
  return m ? Number(m[1]) : null;
}

/** Where a file fetched from the store is kept for reading, named by its content. */
export function cached(root: Path, sha256: Sha256): Path {
  return join(root, ".cache", sha256) as Path;
}
export function cacheFolder(root: Path): Path {
  return join(root, ".cache") as Path;
}

/** A configured folder as an absolute path; a relative one is below the working folder. */
export function absolute(cwd: string, folder: string): Path {
  return resolve(cwd, folder) as Path;
}
/** The folder of a job below the folder of all jobs. */
export function jobFolder(jobs: string, job: JobName): Path {
  return join(jobs, job) as Path;
}
/** Where the engine spills to; it cleans what it leaves. */
export function engineTemp(root: Path): Path {
  return join(root, ".temp") as Path;
}

/** Where a job's SQL is tried without data, by one process; it takes the folder away again. */
export function trialFolder(root: Path, owner: Sha256): Path {
  return join(root, `.trial-${owner.slice(0, 16)}`) as Path;
}
/** Where recheck puts the objects that it re-hashes, and takes them away again. */
export function recheckFolder(root: Path, run: RunId): Path {
  return join(root, `.recheck-${run}`) as Path;
}
/** The n-th file of a scratch folder that is no attempt's. */
export function numbered(dir: Path, n: number, what: string): Path {
  return join(dir, `${n}.${what}`) as Path;
}

export interface RunKeys {
  /** Prefix of everything of the run; ends in a slash, as every prefix here does. */
  readonly run: Key;
  readonly committed: Key;
  readonly claims: Key;
  readonly claim: (attempt: number, beat: number) => Key;
  readonly attempt: (attempt: number, relative: RelativePath) => Key;
  readonly manifest: (attempt: number) => Key;
  readonly receipts: (attempt: number) => Key;
  readonly act: (seq: number) => Key;
  readonly ledger: Key;
  readonly failed: (attempt: number, relative: RelativePath) => Key;
}

export function runKeys(run: RunId): RunKeys {
  const base = `${partsOf(run).job}/${run}`;
  const key = (tail: string): Key => `${base}/${tail}` as Key;
  return {
    run: key(""),
    committed: key("committed.json"),
    claims: key("claims/"),
    claim: (attempt, beat) => key(`claims/a${attempt}/${String(beat).padStart(6, "0")}.json`),
    attempt: (attempt, relative) => key(`a${attempt}/${relative}`),
    manifest: (attempt) => key(`a${attempt}/manifest.json`),
    receipts: (attempt) => key(`a${attempt}/receipts.json`),
    act: (seq) => key(`ledger/${String(seq).padStart(6, "0")}.json`),
    ledger: key("ledger/"),
    failed: (attempt, relative) => key(`failed/a${attempt}/${relative}`),
  };
}

/** The name of a person's copy: `refunds/2026-08-10-r2/discrepancies.csv`. */
export function sharedKey(run: RunId, file: ArtefactName): Key {
  const { job } = partsOf(run);
  return `${job}/${run.slice(job.length + 1)}/${file}` as Key;
}

/** Prefix of all runs of a job. */
export function jobKeys(job: JobName): Key {
  return `${job}/` as Key;
}
/** Prefix of everything that a store keeps for this project. */
export const EVERYTHING = "" as Key;

export function inputKey(sha256: Sha256): Key {
  return `inputs/${sha256}` as Key;
}
/**
 * A key listed by a store or read from a receipt, after its form was checked. @throws Error on an
 * odd key.
 */
export function keyOf(text: string): Key {
  if (!/^[A-Za-z0-9][A-Za-z0-9_./-]*$/.test(text) || text.split("/").includes(".."))
    throw new Error(`not a key: ${text}`);
  return text as Key;
}

/** The attempt and beat of a claim's key, or null for another key. */
export function beatOf(key: Key): { attempt: number; beat: number } | null {
  const m = /\/claims\/a([1-9]\d*)\/(\d{6,})\.json$/.exec(key);
  return m ? { attempt: Number(m[1]), beat: Number(m[2]) } : null;
}

/** The number of the act that a key holds, or null for another key. */
export function actOf(key: Key): number | null {
  const m = /\/ledger\/(\d{6,})\.json$/.exec(key);
  return m ? Number(m[1]) : null;
}

/** The attempt whose manifest a key of a run holds, or null for another key. */
export function manifestOf(key: Key): number | null {
  const m = /^[^/]+\/[^/]+\/a([1-9]\d*)\/manifest\.json$/.exec(key);
  return m ? Number(m[1]) : null;
}

/** The run that a key `…/committed.json` commits, or null for another key. */
export function committedRun(key: Key): string | null {
  return /^[^/]+\/([^/]+)\/committed\.json$/.exec(key)?.[1] ?? null;
}

/**
 * Whether a key must be created by at most one of several callers: claims, commits, ledgers and
 * memory. All other keys name their attempt or their content.
 */
export function isControl(key: string): boolean {
  return /^[^/]+\/(memory\/|[^/]+\/(committed\.json$|claims\/|ledger\/))/.test(key);
}
