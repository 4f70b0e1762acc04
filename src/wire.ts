import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Agent } from "./agents/agent.js";
import { LOCKFILE_SHA256, VERSION } from "./build-info.js";
import { parseConfig, type ResolvedConfig, resolveConfig } from "./documents/config.js";
import type { Clock, Effects, Log, Shares } from "./effects.js";
import type { Engine } from "./engines/engine.js";
import { errno, realDisk } from "./folders/disk.js";
import { localFolder } from "./folders/local.js";
import { diskTrouble } from "./folders/trouble.js";
import { type DoctorAnswer, diagnosis } from "./model/capabilities.js";
import { type Config, DEFAULTS, type SettingName } from "./model/config.js";
import { TieoutError } from "./model/errors.js";
import type { JobName, Path } from "./model/ids.js";
import { absolute, engineTemp, jobFolder } from "./model/layout.js";
import { DocumentError } from "./model/mistake.js";
import type { Progress } from "./model/progress.js";
import type { Desk } from "./operations/operation.js";
import { csvReader } from "./readers/csv.js";
import { directorySource } from "./sources/directory.js";
import { keptSource } from "./sources/kept.js";
import { nearestFile } from "./sources/nearest.js";
import { directoryStore } from "./stores/dir.js";
import type { Store } from "./stores/store.js";
import { makeFolders } from "./stores/tree.js";
import type { Writer } from "./writers/writer.js";

/** What a process brings along: nothing below asks for it by itself. */
export interface Surroundings {
  /** The working folder, absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings given as flags, over everything else. */
  readonly flags: Readonly<Partial<Record<SettingName, string | undefined>>>;
  readonly progress: Progress;
  /** Events as lines on standard error, or nowhere. */
  readonly logs: "stderr" | "nowhere";
  readonly signal: AbortSignal;
  readonly agent: Agent | null;
}

/** What a program that uses the library may choose; the rest is as for the command line. */
export interface LibraryOptions {
  /** Where `tieout.yaml` is looked for and relative folders begin; the working folder otherwise. */
  readonly cwd?: string;
  /** Settings over everything else, by their names in `tieout.yaml`. */
  readonly settings?: Surroundings["flags"];
  /** Does the job's agent steps. */
  readonly agent?: Agent;
  readonly signal?: AbortSignal;
  readonly progress?: Progress;
}

/** A desk for a program: no logs, no signals of its own. */
export function openLibrary(options: LibraryOptions): Promise<OpenDesk> {
  return openDesk({
    cwd: options.cwd ?? process.cwd(),
    env: process.env,
    flags: options.settings ?? {},
    progress: options.progress ?? { stage: () => undefined },
    logs: "nowhere",
    signal: options.signal ?? new AbortController().signal,
    agent: options.agent ?? null,
  });
}

/** A desk, and the end of everything that it started. */
export interface OpenDesk extends Desk {
  readonly close: () => Promise<void>;
}

/**
 * The only place that chooses DuckDB, the store, the local disk and the system clock.
 * With mistakes in `tieout.yaml`, the environment or the flags, only the configuration can be
 * looked at: all else throws CONFIG_INVALID with every one of them.
 */
export async function openDesk(given: Surroundings): Promise<OpenDesk> {
  const configuration = await configured(given);
  const config = (): Config => {
    if (configuration.config !== null) return configuration.config;
    throw invalid(configuration);
  };
  const engine = once(() => openEngine(config(), given.signal));
  const folder = (dir: string) => directorySource(dir, shown(dir, given.cwd));
  return {
    configuration: () => configuration,
    step: null,
    jobs: () => folder(config().jobs),
    job: (name: JobName) => folder(jobFolder(config().jobs, name)),
    kept: keptSource,
    doctor: () => diagnose(config().store, given.env),
    effects: async (inputs) => effects(config(), await engine.get(), inputs, given),
    close: async () => (await engine.made)?.close(),
  };
}

/** A folder as messages call it: short where it lies below the working folder. */
function shown(folder: string, cwd: string): string {
  return folder.startsWith(`${cwd}/`) ? folder.slice(cwd.length + 1) : folder;
}

async function effects(
  config: Config,
  engine: Engine,
  inputs: string | undefined,
  given: Surroundings,
): Promise<Effects> {
  const root = absolute(given.cwd, config.root);
  return {
    root,
    inputs: directorySource(
      absolute(given.cwd, inputs ?? config.inputs),
      inputs ?? shown(config.inputs, given.cwd),
    ),
    folder: localFolder(root),
    engine,
    reader: csvReader(),
    writer: lazyWriter(),
    store: await openStore(config.store, given),
    shares: sharesOf(config, given.env),
    clock: systemClock,
    log: await logOf(given, config.log),
    progress: given.progress,
    owner: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
    ttl_ms: config.ttl_seconds * 1000,
    versions: { tieout: VERSION, node: process.versions.node, lockfile_sha256: LOCKFILE_SHA256 },
    agent: given.agent,
    signal: given.signal,
  };
}

const systemClock: Clock = {
  now: () => Date.now(),
  every: (ms, f) => {
    const timer = setInterval(() => void f().catch(() => undefined), ms);
    return () => clearInterval(timer);
  },
};

async function configured(given: Surroundings): Promise<ResolvedConfig> {
  const { flags, env, cwd } = given;
  const found = await nearestFile(cwd, "tieout.yaml");
  const file =
    found === null
      ? null
      : {
          parsed: parseConfig(found.text, shown(`${found.folder}/tieout.yaml`, cwd)),
          folder: found.folder,
        };
  return resolveConfig({ flags, env, file, defaults: DEFAULTS, cwd });
}

function invalid(configuration: ResolvedConfig): DocumentError {
  const remedy = "correct each mistake where it stands; `tieout config` shows the settings";
  return new DocumentError("CONFIG_INVALID", "the configuration", configuration.mistakes, remedy);
}

/** DuckDB is loaded in a child and only when a question needs it. */
async function openEngine(config: Config, signal: AbortSignal): Promise<Engine> {
  const { duckdb } = await import("./engines/duckdb.js");
  const root = absolute("/", config.root);
  await makeWorkFolder(root);
  const { memory_limit, threads, timeout_seconds } = config.engine;
  const engine = duckdb({
    temp: engineTemp(root),
    memory_limit,
    threads,
    soft_ms: timeout_seconds * 1000,
  });
  signal.addEventListener("abort", () => void engine.close(), { once: true });
  return engine;
}

/** The bucket when one is named, the folder otherwise. */
async function openStore(
  { dir, prefix, s3 }: Config["store"],
  { env, progress }: Pick<Surroundings, "env" | "progress">,
): Promise<Store> {
  if (s3.bucket === "") return directoryStore(dir, { prefix });
  const { configuredStore } = await loadS3();
  const moved = (size_bytes: number): void => progress.moved?.(size_bytes);
  return configuredStore(s3, prefix, credentialsOf(env), timing, moved);
}

/** A destination is opened when something is to be copied there. */
function sharesOf({ shares, store }: Config, env: Env): Shares {
  return {
    names: Object.keys(shares),
    open: async (name) => {
      const { dir, s3 } = shares[name] ?? {};
      if (dir !== undefined) return (await import("./stores/folder-share.js")).sharedFolder(dir);
      if (s3 === undefined) throw new Error(`${name} is no destination`);
      const { lock, control } = DEFAULTS.store.s3;
      const {
        endpoint = store.s3.endpoint,
        region = store.s3.region,
        path_style = store.s3.path_style,
        ca_file = store.s3.ca_file,
        prefix = "",
        bucket,
      } = s3;
      const { configuredStore } = await loadS3();
      const options = { bucket, endpoint, region, path_style, ca_file, lock, control };
      return configuredStore(options, prefix, credentialsOf(env), timing, () => undefined);
    },
  };
}

function loadS3() {
  // The version is pinned; its word about Node versions to come is no event of a run.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";
  return import("./stores/s3-configured.js");
}

async function diagnose({ dir, prefix, s3 }: Config["store"], env: Env): Promise<DoctorAnswer> {
  if (s3.bucket === "") {
    const { probeDirectory } = await import("./stores/dir-probe.js");
    return diagnosis("dir", dir, await probeDirectory(dir, randomUUID()));
  }
  const { probeConfigured } = await loadS3();
  return probeConfigured(s3, prefix, credentialsOf(env), timing);
}

type Env = Surroundings["env"];

/** Null leaves it to the SDK to find some: a profile, a container's or an instance's role. */
function credentialsOf(env: Env) {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return null;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
  };
}

const timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  after: (ms: number, f: () => void) => {
    const timer = setTimeout(f, ms);
    return () => clearTimeout(timer);
  },
};

/** What of a disk's answers more time does not mend. */
const UNUSABLE: ReadonlySet<string | null> = new Set([
  "ENOTDIR",
  "ENOENT",
  "EACCES",
  "EPERM",
  "EROFS",
]);

async function makeWorkFolder(root: Path): Promise<void> {
  try {
    await makeFolders(realDisk, engineTemp(root), root);
  } catch (e) {
    const why = errno(e);
    if (!UNUSABLE.has(why)) throw diskTrouble("root", e);
    throw new TieoutError("CONFIG_INVALID", {
      subject: "root",
      cause: `no folder can be made where root is: the disk answered ${why}`,
      remedy: "set root to a folder that this user may write to; `tieout config` shows it",
      because: e,
    });
  }
}

/** The workbook library is large; most questions never need it. */
function lazyWriter(): Writer {
  const load = once(async () => (await import("./writers/xlsx.js")).xlsxWriter());
  return {
    write: async (request, engine) => (await load.get()).write(request, engine),
    prove: async (request, engine) => (await load.get()).prove(request, engine),
  };
}

async function logOf(given: Surroundings, { level, format }: Config["log"]): Promise<Log> {
  if (given.logs === "nowhere") return { info: () => undefined };
  return (await import("./log.js")).eventLog(level, format);
}

function once<T>(make: () => Promise<T>): { get: () => Promise<T>; made: Promise<T> | null } {
  const kept: { get: () => Promise<T>; made: Promise<T> | null } = {
    made: null,
    get: () => {
      kept.made ??= make();
      return kept.made;
    },
  };
  return kept;
}
