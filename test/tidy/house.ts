/**
 * The house as data: which room may import which, who may touch what, and the short lists of those
 * who may do otherwise, each with its reason. Paths are from `src/`; a room ends in a slash.
 */
export const CONTRACTS = [
  "dialects/dialect.ts",
  "formats/format.ts",
  "sources/source.ts",
  "engines/engine.ts",
  "folders/folder.ts",
  "stores/store.ts",
  "readers/reader.ts",
  "writers/writer.ts",
  "agents/agent.ts",
];
const PURE = ["documents/", "dialects/", "formats/", "checks/", "recipes/"];
const IO = ["sources/", "engines/", "folders/", "stores/", "readers/", "writers/"];
const LOOK = ["model/", "documents/", "checks/", "recipes/", ...CONTRACTS, "effects.ts"];
const WORK = [...LOOK, "dialects/", "formats/", "queries/", "reports/"];
const FACE = ["operations.ts", "model/", "wire.ts"];

/** What a room may import besides itself. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  "model/": [],
  "documents/": ["model/", "dialects/dialect.ts", "formats/format.ts"],
  "dialects/": ["model/", "formats/format.ts"],
  "formats/": ["model/", "dialects/dialect.ts"],
  "recipes/": ["model/", "dialects/dialect.ts", "formats/format.ts"],
  "checks/": ["model/", "dialects/dialect.ts", "formats/format.ts"],
  "sources/": ["model/", ...PURE],
  "engines/": ["model/", ...PURE],
  "folders/": ["model/", ...PURE],
  "stores/": ["model/", ...PURE],
  "readers/": ["model/", ...PURE, "engines/engine.ts"],
  "writers/": ["model/", ...PURE, "engines/engine.ts"],
  "effects.ts": ["model/", ...CONTRACTS],
  "queries/": LOOK,
  "reports/": ["model/", "queries/"],
  "stages/": WORK,
  "acts/": WORK,
  "agents/": WORK,
  "operations/": [...WORK, "stages/", "acts/", "agents/"],
  "operations.ts": [...WORK, "stages/", "acts/", "agents/", "operations/"],
  "faces/": FACE,
  "index.ts": [...FACE, "agents/agent.ts"],
  "bin.ts": [...FACE, "faces/", "build-info.ts", "help.json"],
  "log.ts": ["model/", "effects.ts"],
  "build-info.ts": ["package.json"],
  "wire.ts": [
    "model/",
    ...PURE,
    ...IO,
    ...WORK,
    "log.ts",
    "build-info.ts",
    "agents/",
    "acts/",
    "stages/",
    "operations/",
  ],
};

/** A file or room that may import a file against the table, and why. */
export const DOORS: readonly { from: string; to: string; why: string }[] = [
  { from: "stages/walk.ts", to: "acts/share.ts", why: "the walk shares right after the commit" },
  { from: "acts/", to: "stages/keep.ts", why: "one way to learn what a lost answer was" },
  ...[
    ["stores/", "folders/disk.ts"],
    ["stores/", "folders/place.ts"],
    ["stores/", "folders/trouble.ts"],
    ["sources/", "folders/disk.ts"],
  ].map(([from = "", to = ""]) => ({
    from,
    to,
    why: "one injected disk below all three, so that one fault loop reaches every call of it",
  })),
];

/** Files of one stage each: none imports another, `walk.ts` alone puts them in order. */
export const STAGES = [
  "claim",
  "pin",
  "compute",
  "verify",
  "close",
  "extract",
  "recall",
  "teardown",
];

/** Every package and the only files that may import it. `files` match paths from `src/`. */
export const VENDORS: readonly { package: string; files: RegExp }[] = [
  { package: "zod", files: /./ },
  { package: "@duckdb/node-api", files: /^engines\/duckdb[^/]*\.ts$/ },
  { package: "@aws-sdk/client-s3", files: /^stores\/s3[^/]*\.ts$/ },
  { package: "yaml", files: /^documents\// },
  { package: "pino", files: /^log\.ts$/ },
  { package: "commander", files: /^faces\/cli\.ts$/ },
];

/** Modules of Node and where they may be imported; one that is not listed is refused everywhere. */
export const NODE: readonly { module: RegExp; where: RegExp; instead: string }[] = [
  {
    module: /^node:fs(\/promises)?$/,
    where: /^(sources|folders|stores|engines|readers|writers)\//,
    instead: "take a Folder, Store or Source from Effects",
  },
  {
    module: /^node:path$/,
    where: /^(model\/layout\.ts$|folders\/|stores\/)/,
    instead: "ask model/layout.ts for the path: nothing else joins one (I001)",
  },
  {
    module: /^node:crypto$/,
    where: /^(model|folders|stores|sources|engines|readers)\/|^wire\.ts$/,
    instead: "use sha256Of or fingerprint of model/canonical.ts",
  },
  {
    module: /^node:(child_process|worker_threads)$/,
    where: /^(engines|folders|stores|sources|readers)\//,
    instead: "take an Engine or Folder from Effects",
  },
  {
    module: /^node:(url|stream|stream\/promises|readline|events|util|buffer|string_decoder|zlib)$/,
    where: /^(sources|engines|folders|stores|readers|writers)\/|^(wire|bin)\.ts$|^faces\//,
    instead: "keep this room free of IO",
  },
  { module: /^node:os$/, where: /^wire\.ts$/, instead: "let wire.ts pass the value in" },
  {
    module: /^node:module$/,
    where: /^(wire|build-info|bin|engines\/duckdb-native|stores\/s3-client)\.ts$/,
    instead: "import the module, or let wire.ts load it lazily with import()",
  },
];

/** A call or a name that only some rooms may use. `what` is matched against an expression's text. */
export interface Ban {
  readonly name: string;
  readonly what: RegExp;
  readonly except: RegExp;
  readonly instead: string;
}

const NOWHERE = /^$/;
export const BANS: readonly Ban[] = [
  {
    name: "clock",
    what: /^(Date\.now|new Date\(\)|performance\.now|process\.hrtime(\.bigint)?)$/,
    except: /^(wire|bin)\.ts$/,
    instead: "take fx.clock.now()",
  },
  {
    name: "timer",
    what: /^(globalThis\.)?(setInterval|setTimeout|setImmediate)$/,
    except: /^(wire|bin)\.ts$|^engines\//, // an engine must end a child that does not answer
    instead: "take fx.clock.every",
  },
  {
    name: "randomness",
    what: /^(crypto\.)?(randomUUID|randomBytes|randomInt|getRandomValues)$|^Math\.random$/,
    except: /^(wire|bin)\.ts$/,
    instead: "derive the name in model/layout.ts, or let wire.ts pass the value in",
  },
  {
    name: "environment",
    what: /^process\.(env|cwd|argv|platform|getuid|umask|chdir)$/,
    except: /^(wire|bin)\.ts$/,
    instead: "let wire.ts read it and pass the value in",
  },
  {
    name: "exit",
    what: /^process\.(exit|abort)$/,
    except: /^bin\.ts$|^engines\/.*child\.ts$/,
    instead: "throw a TieoutError: bin.ts alone ends the process",
  },
  {
    name: "kill",
    what: /^process\.kill$/,
    except: /^engines\//,
    instead: "close the engine: it ends the processes that it started",
  },
  {
    name: "console",
    what: /^console\.\w+$|^process\.(stdout|stderr)$/,
    except: /^(wire|bin)\.ts$|^faces\/|^engines\/.*child\.ts$/,
    instead: "tell fx.log or fx.progress",
  },
  {
    name: "float rows",
    what: /\.(getRowObjectsJS|getRowsJS|getColumnsJS|getColumnsObjectJS)$/,
    except: NOWHERE,
    instead: "use getRowsJson or a ::VARCHAR: these turn DECIMAL into a float (I009)",
  },
  {
    name: "float text",
    what: /^(Number\.)?parseFloat$|\.(toFixed|toPrecision|toLocaleString)$|^Intl\.NumberFormat$/,
    except: NOWHERE,
    instead: "use model/decimal.ts: amounts are exact text (I009)",
  },
  {
    name: "locale order",
    what: /\.localeCompare$|^Intl\.Collator$/,
    except: NOWHERE,
    instead: "compare with < on code units, or by UTF-8 bytes: a locale's order differs (I010)",
  },
];

/** Source files past 300 lines, and why they are one file. */
export const LONG: Readonly<Record<string, string>> = {};

/** Exports that nothing in `src/` uses, and why they are there. `*` stands for a whole file. */
export const OFFERED: readonly { file: string; name: string; why: string }[] = [
  { file: "src/index.ts", name: "*", why: "what a user of the library imports" },
  {
    file: "src/model/invariants.ts",
    name: "*",
    why: "the numbers that findings, tests and broken examples are named by",
  },
  {
    file: "src/queries/honesty.ts",
    name: "*",
    why: "the laws of an answer, for whoever judges one that was stored",
  },
  ...[
    "src/model/fault.ts",
    "src/folders/faulty.ts",
    "src/folders/memory.ts",
    "src/sources/faulty.ts",
    "src/sources/memory.ts",
    "src/stores/faulty.ts",
    "src/stores/memory.ts",
    "src/stores/readonly.ts",
  ].map((file) => ({ file, name: "*", why: "ships for tests of whoever builds on the port" })),
];

export const SIZES = { file: 300, function: 70, columns: 100, depth: 5 } as const;
