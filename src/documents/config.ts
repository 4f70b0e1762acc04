import { z } from "zod";
import {
  Config,
  ConfigFile,
  type Destination,
  SETTINGS,
  type SettingName,
  shown,
  variableOf,
  variablesOf,
} from "../model/config.js";
import { nearest } from "../model/errors.js";
import type { DocumentPath, Mistake } from "../model/mistake.js";
import { wrongKey } from "../model/mistake.js";
import { readDocument } from "./document.js";
import { at, explain } from "./words.js";

/** `tieout.yaml` read: its values and where each stands, or every mistake at once. */
export interface ParsedConfig {
  readonly file: string;
  readonly config: ConfigFile | null;
  readonly mistakes: readonly Mistake[];
  /** `tieout.yaml:3:5` of a setting that the file has. */
  readonly placeOf: (name: string) => string;
}

/** Reads the text of a `tieout.yaml`; never throws on a text. An empty file sets nothing. */
export function parseConfig(text: string, file: string): ParsedConfig {
  const doc = readDocument(text, file, {
    schema: ConfigFile,
    empty: {},
    problems: () => [],
    suggest: () => null,
  });
  return {
    file,
    config: doc.value,
    mistakes: doc.mistakes,
    placeOf: (name) => {
      const { line, column } = doc.place(wrongKey(pathOf(name), "", ""));
      return `${file}:${line}:${column}`;
    },
  };
}

export interface ConfigSources {
  /**
   * Values of flags by the setting that they set, as typed; undefined where a flag was not given.
   */
  readonly flags: Readonly<Partial<Record<SettingName, string | undefined>>>;
  /** The whole environment: only `TIEOUT_*` and what S3 tools usually read is looked at. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The nearest `tieout.yaml` and the absolute folder that it lies in. */
  readonly file: { readonly parsed: ParsedConfig; readonly folder: string } | null;
  readonly defaults: Config;
  /** The working folder, absolute. */
  readonly cwd: string;
}

/** One setting and where its value came from. */
export interface Setting {
  readonly name: string;
  /** As people may see it: a secret is masked. */
  readonly shown: string;
  readonly origin: "flag" | "environment" | "file" | "default";
  /** `--store-dir`, `TIEOUT_STORE_DIR`, `tieout.yaml:3:5` or `default`. */
  readonly from: string;
}

export interface ResolvedConfig {
  /** Null as soon as there is one mistake. Folders are absolute. */
  readonly config: Config | null;
  readonly settings: readonly Setting[];
  readonly mistakes: readonly Mistake[];
  /**
   * Variables `TIEOUT_*` that are no setting, each with the nearest that is; they change nothing.
   */
  readonly ignored: readonly { readonly name: string; readonly nearest: string | null }[];
}

const NAMES = Object.keys(SETTINGS).filter((n): n is SettingName => Object.hasOwn(SETTINGS, n));

interface Candidate {
  readonly origin: Setting["origin"];
  readonly from: string;
  readonly value: unknown;
  /** What a relative folder is relative to. */
  readonly base: string;
}

/**
 * The configuration of one call: flags over environment over `tieout.yaml` over defaults, setting
 * by setting. A folder is relative to where it was said: in the file to the file's own folder, in
 * a flag or a variable to the working folder; a default to the file's folder, or the working one
 * without it.
 */
export function resolveConfig(sources: ConfigSources): ResolvedConfig {
  const chosen = NAMES.map((name) => ({ name, ...choose(name, sources) }));
  const values = chosen.map(({ name, value, base }) => ({
    name,
    value: isPath(name) && typeof value === "string" ? under(base, value) : value,
  }));
  const texts = chosen.filter((c) => c.origin === "flag" || c.origin === "environment");
  const mistakes = [...(sources.file?.parsed.mistakes ?? []), ...texts.flatMap(mistakesOf)];
  const shares = sharesOf(sources);
  const whole = Config.safeParse({ ...nested(values), shares });
  return {
    config: mistakes.length === 0 && whole.success ? whole.data : null,
    settings: [
      ...chosen.map(({ name, origin, from }, i) => {
        return { name, shown: shown(name, String(values[i]?.value)), origin, from };
      }),
      ...shareSettings(shares, sources),
    ],
    mistakes,
    ignored: strangers(sources.env),
  };
}

/** Destinations have names of their own, so that the file alone can say them. */
function sharesOf({ file }: ConfigSources): Readonly<Record<string, Destination>> {
  const stated = Object.entries(file?.parsed.config?.shares ?? {});
  const base = file?.folder ?? "";
  return Object.fromEntries(
    stated.map(([name, { dir, s3 }]) => [
      name,
      dir === undefined
        ? { s3: s3 && { ...s3, ...(s3.ca_file ? { ca_file: under(base, s3.ca_file) } : {}) } }
        : { dir: under(base, dir) },
    ]),
  );
}

function shareSettings(
  shares: Readonly<Record<string, Destination>>,
  { file }: ConfigSources,
): Setting[] {
  return Object.entries(shares).map(([share, { dir, s3 }]) => {
    const name = `shares.${share}`;
    const place = dir ?? `s3://${s3?.bucket}/${s3?.prefix ?? ""}`;
    return { name, shown: place, origin: "file", from: file?.parsed.placeOf(name) ?? "" };
  });
}

function choose(name: SettingName, { flags, env, file, defaults, cwd }: ConfigSources): Candidate {
  const variable = variablesOf(name).find((v) => env[v] !== undefined) ?? variableOf(name);
  const flag = `--${name.replace(/[._]/g, "-")}`;
  const base = file?.folder ?? cwd;
  const stated: Candidate[] = [
    { origin: "flag", from: flag, value: meant(name, flags[name]), base: cwd },
    { origin: "environment", from: variable, value: meant(name, env[variable]), base: cwd },
    {
      origin: "file",
      from: file?.parsed.placeOf(name) ?? "",
      value: at(file?.parsed.config, pathOf(name)),
      base,
    },
  ];
  const first = stated.find((c) => c.value !== undefined);
  return first ?? { origin: "default", from: "default", value: at(defaults, pathOf(name)), base };
}

/** Flags and variables are text; a number's digits are meant as a number, and so on. */
function meant(name: SettingName, text: string | undefined): string | number | boolean | undefined {
  if (SETTINGS[name] === "number" && text !== undefined && /^-?\d{1,15}$/.test(text))
    return Number(text);
  if (SETTINGS[name] === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

function isPath(name: SettingName): boolean {
  return SETTINGS[name] === "folder" || SETTINGS[name] === "file";
}

function mistakesOf({ name, from, value }: Candidate & { name: SettingName }): Mistake[] {
  const told = nested([{ name, value }]);
  const result = ConfigFile.safeParse(told);
  if (result.success) return [];
  const problems = explain(result.error.issues, told, z.toJSONSchema(ConfigFile, { io: "input" }));
  return problems.map(({ at: _, ...what }) => ({ file: from, line: 0, column: 0, ...what }));
}

/**
 * Not refused: orchestrators put variables such as TIEOUT_PORT into every process beside a
 * service.
 */
function strangers(env: ConfigSources["env"]): ResolvedConfig["ignored"] {
  const known = NAMES.map(variableOf);
  return Object.keys(env)
    .filter((name) => name.startsWith("TIEOUT_") && !known.includes(name))
    .sort()
    .map((name) => ({ name, nearest: nearest(name, known) }));
}

function nested(values: readonly { name: SettingName; value: unknown }[]): Tree {
  const root: Tree = {};
  for (const { name, value } of values) {
    const path = name.split(".");
    const last = path.pop() ?? name;
    let into = root;
    for (const part of path) {
      const there = into[part];
      const next = isTree(there) ? there : {};
      into[part] = next;
      into = next;
    }
    into[last] = value;
  }
  return root;
}

interface Tree {
  [name: string]: unknown;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}

function pathOf(name: string): DocumentPath {
  return name.split(".");
}

/** An empty path names nothing. */
function under(folder: string, path: string): string {
  if (path === "") return path;
  return path.startsWith("/") ? path : `${folder.replace(/\/$/, "")}/${path.replace(/^\.\//, "")}`;
}
