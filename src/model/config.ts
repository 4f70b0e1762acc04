import { z } from "zod";

/**
 * What an installation is told once, in `tieout.yaml`: where runs, jobs and exports lie, and what a
 * run may use. A job's own facts are never here. `schemas/config.schema.json` is generated from it.
 */
const ShareName = /^[a-z][a-z0-9_-]*$/;
const Dir = z.string().min(1, "the path of a folder");

const Prefix = z
  .string()
  .regex(
    /^([a-z0-9][a-z0-9_-]*(\/[a-z0-9][a-z0-9_-]*)*)?$/,
    "names of a-z, 0-9, _ and - with / between",
  );
const BucketName = z
  .string()
  .regex(/^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$/, "3 to 63 of a-z, 0-9, . and -");

const LockConfig = z.strictObject({
  mode: z
    .enum(["none", "governance", "compliance"])
    .describe("the bucket's Object Lock, or none: then only tieout refuses to remove"),
  seconds: z
    .int()
    .min(5)
    .max(86_400)
    .describe("how long what is put is locked until its run has committed"),
});

const ControlConfig = z.strictObject({
  bucket: BucketName.describe(
    "where claims, commits and ledgers go if the bucket lets two create one key; empty: as all",
  ),
  prefix: Prefix.describe("what their keys begin with there; empty for none"),
});

const S3Config = z.strictObject({
  bucket: BucketName.describe("bucket of the store; empty: the store is the folder store.dir"),
  endpoint: z
    .string()
    .regex(/^(https?:\/\/\S+)?$/, "a URL such as https://s3.example.com")
    .describe("where the server is; empty: Amazon's own of the region"),
  region: z.string().min(1, "the name of a region").describe("region that requests are signed for"),
  path_style: z.boolean().describe("the bucket in the path of a request, not in its host name"),
  ca_file: z.string().describe("certificates (PEM) to trust instead of the system's; empty: those"),
  lock: LockConfig,
  control: ControlConfig,
});

const StoreConfig = z.strictObject({
  dir: Dir.describe("folder of the store, on a disk that outlives the runs"),
  prefix: Prefix.describe("what every key of the store begins with; empty for none"),
  s3: S3Config,
});

/** A bucket for people's copies; what is not said is as the store's own settings have it. */
const ShareBucket = S3Config.pick({
  endpoint: true,
  region: true,
  path_style: true,
  ca_file: true,
})
  .partial()
  .extend({
    bucket: BucketName.min(3).describe("bucket of the copies"),
    prefix: Prefix.optional().describe("what their keys begin with; empty for none"),
  });

const Destination = z
  .strictObject({
    dir: Dir.optional().describe("folder of the copies; it must be there, relative to this file"),
    s3: ShareBucket.optional(),
  })
  .refine(({ dir, s3 }) => (dir === undefined) !== (s3 === undefined), "either dir or s3");

const EngineConfig = z.strictObject({
  memory_limit: z
    .string()
    .regex(/^[1-9]\d{0,5}(MB|GB)$/, "a whole number and MB or GB, such as 2GB")
    .describe("memory of one evaluation, such as 2GB; it spills to disk beyond that"),
  threads: z
    .int()
    .min(1)
    .max(256)
    .describe("threads of one evaluation; results do not depend on it"),
  timeout_seconds: z.int().min(1).max(86_400).describe("after this an evaluation is ended"),
});

const LogConfig = z.strictObject({
  level: z
    .enum(["silent", "error", "warn", "info", "debug"])
    .describe("least level that is logged"),
  format: z
    .enum(["text", "json"])
    .describe("how an event is written where there is no terminal; --json means json"),
});

const FIELDS = {
  root: Dir.describe("folder of the run folders; relative to this file"),
  store: StoreConfig,
  jobs: Dir.describe("folder of the jobs, <job>/job.yaml; relative to this file"),
  inputs: Dir.describe("folder of the exports; relative to this file"),
  ttl_seconds: z
    .int()
    .min(10)
    .max(86_400)
    .describe("how long a claim holds without a heartbeat, in seconds"),
  engine: EngineConfig,
  log: LogConfig,
  shares: z
    .record(z.string().regex(ShareName, "a-z, 0-9, _ and -, beginning with a letter"), Destination)
    .describe("where people's copies of artefacts go, by the names that jobs use"),
};

/** A whole configuration. Paths are absolute once `resolveConfig` made it. */
export const Config = z.strictObject(FIELDS);
export type Config = z.infer<typeof Config>;

/** `tieout.yaml`: any part of a configuration. */
export const ConfigFile = z
  .strictObject({
    ...FIELDS,
    store: StoreConfig.extend({
      s3: S3Config.extend({
        lock: LockConfig.partial(),
        control: ControlConfig.partial(),
      }).partial(),
    }).partial(),
    engine: EngineConfig.partial(),
    log: LogConfig.partial(),
  })
  .partial();
export type Destination = z.infer<typeof Destination>;
export type ConfigFile = z.infer<typeof ConfigFile>;

export const DEFAULTS: Config = {
  root: ".tieout/runs",
  store: {
    dir: ".tieout/store",
    prefix: "",
    s3: {
      bucket: "",
      endpoint: "",
      region: "us-east-1",
      path_style: true,
      ca_file: "",
      lock: { mode: "none", seconds: 3600 },
      control: { bucket: "", prefix: "" },
    },
  },
  jobs: "jobs",
  inputs: "exports",
  ttl_seconds: 60,
  engine: { memory_limit: "2GB", threads: 2, timeout_seconds: 60 },
  log: { level: "info", format: "text" },
  shares: {},
};

/** Every setting by its place in `tieout.yaml`, and what a flag's or a variable's text means. */
export const SETTINGS = {
  root: "folder",
  "store.dir": "folder",
  "store.prefix": "text",
  "store.s3.bucket": "text",
  "store.s3.endpoint": "text",
  "store.s3.region": "text",
  "store.s3.path_style": "boolean",
  "store.s3.ca_file": "file",
  "store.s3.lock.mode": "text",
  "store.s3.lock.seconds": "number",
  "store.s3.control.bucket": "text",
  "store.s3.control.prefix": "text",
  jobs: "folder",
  inputs: "folder",
  ttl_seconds: "number",
  "engine.memory_limit": "text",
  "engine.threads": "number",
  "engine.timeout_seconds": "number",
  "log.level": "text",
  "log.format": "text",
} as const;
export type SettingName = keyof typeof SETTINGS;

/** `store.dir` is TIEOUT_STORE_DIR in the environment. */
export function variableOf(name: string): string {
  return `TIEOUT_${name.toUpperCase().replaceAll(".", "_")}`;
}

/** Variables that set a setting, the first that is there: ours, then what S3 tools read. */
export function variablesOf(name: SettingName): readonly string[] {
  return [variableOf(name), ...(USUAL[name] ?? [])];
}

const USUAL: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  "store.s3.endpoint": ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"],
  "store.s3.region": ["AWS_REGION", "AWS_DEFAULT_REGION"],
};

/** A value as `tieout config` shows it: what a name says is secret is masked. */
export function shown(name: string, value: string | number): string {
  return /secret|token|password|credential|(^|[._])key$/i.test(name) ? "(hidden)" : String(value);
}
