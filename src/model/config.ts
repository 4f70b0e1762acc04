import { z } from "zod";

/**
 * What an installation is told once, in `tieout.yaml`: where runs, jobs and exports lie, and what a
 * run may use. A job's own facts are never here. `schemas/config.schema.json` is generated from it.
 */
const Dir = z.string().min(1, "the path of a folder");

const StoreConfig = z.strictObject({
  dir: Dir.describe("folder of the store, on a disk that outlives the runs"),
  prefix: z
    .string()
    .regex(
      /^([a-z0-9][a-z0-9_-]*(\/[a-z0-9][a-z0-9_-]*)*)?$/,
      "names of a-z, 0-9, _ and - with / between",
    )
    .describe("what every key of the store begins with; empty for none"),
});

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
};

/** A whole configuration. Paths are absolute once `resolveConfig` made it. */
export const Config = z.strictObject(FIELDS);
export type Config = z.infer<typeof Config>;

/** `tieout.yaml`: any part of a configuration. */
export const ConfigFile = z
  .strictObject({
    ...FIELDS,
    store: StoreConfig.partial(),
    engine: EngineConfig.partial(),
    log: LogConfig.partial(),
  })
  .partial();
export type ConfigFile = z.infer<typeof ConfigFile>;

export const DEFAULTS: Config = {
  root: ".tieout/runs",
  store: { dir: ".tieout/store", prefix: "" },
  jobs: "jobs",
  inputs: "exports",
  ttl_seconds: 60,
  engine: { memory_limit: "2GB", threads: 2, timeout_seconds: 60 },
  log: { level: "info", format: "text" },
};

/** Every setting by its place in `tieout.yaml`, and what a flag's or a variable's text means. */
export const SETTINGS = {
  root: "folder",
  "store.dir": "folder",
  "store.prefix": "text",
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

/** A value as `tieout config` shows it: what a name says is secret is masked. */
export function shown(name: string, value: string | number): string {
  return /secret|token|password|credential|(^|[._])key$/i.test(name) ? "(hidden)" : String(value);
}
