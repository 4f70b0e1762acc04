import { describe, expect, test } from "vitest";
import { parseConfig, resolveConfig } from "../../src/documents/config.js";
import { Config, DEFAULTS, SETTINGS, shown, variableOf } from "../../src/model/config.js";
import { mistakeText } from "../../src/model/mistake.js";

const TEXT = `root: runs
store: { dir: /var/tieout, prefix: finance/nightly }
engine:
  threads: 8
log: { level: warn }
`;
const BARE = { flags: {}, env: {}, file: null, defaults: DEFAULTS, cwd: "/here" };
const file = { parsed: parseConfig(TEXT, "tieout.yaml"), folder: "/etc/tieout" };

function leaves(value: object): string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === "object" && inner !== null
      ? leaves(inner).map((leaf) => `${name}.${leaf}`)
      : [name],
  );
}

test("every setting has a default, a variable of its own, and a place in tieout.yaml", () => {
  const names = Object.keys(SETTINGS);
  expect(Config.parse(DEFAULTS)).toEqual(DEFAULTS);
  expect(resolveConfig(BARE).settings.map((s) => s.name)).toEqual(names);
  expect(new Set(names.map(variableOf)).size).toBe(names.length);
  expect(leaves(DEFAULTS)).toEqual(names);
});

test("flags win over the environment, that over the file, that over the defaults", () => {
  const { config, settings, mistakes } = resolveConfig({
    ...BARE,
    file,
    env: { TIEOUT_ENGINE_THREADS: "4", TIEOUT_LOG_LEVEL: "debug", PATH: "/bin" },
    flags: { "log.level": "error" },
  });
  expect(mistakes).toEqual([]);
  expect(config?.engine).toEqual({ ...DEFAULTS.engine, threads: 4 });
  expect(config?.log.level).toBe("error");
  const from = Object.fromEntries(settings.map((s) => [s.name, [s.origin, s.from]]));
  expect(from["log.level"]).toEqual(["flag", "--log-level"]);
  expect(from["engine.threads"]).toEqual(["environment", "TIEOUT_ENGINE_THREADS"]);
  expect(from["store.prefix"]).toEqual(["file", "tieout.yaml:2:28"]);
  expect(from.ttl_seconds).toEqual(["default", "default"]);
});

test("a folder is relative to where it was said", () => {
  const flags = { inputs: "exports/today" };
  const env = { TIEOUT_STORE_DIR: "./store" };
  const { config } = resolveConfig({ ...BARE, file, flags, env });
  expect(config?.root).toBe("/etc/tieout/runs");
  expect(config?.jobs).toBe("/etc/tieout/jobs");
  expect(config?.inputs).toBe("/here/exports/today");
  expect(config?.store.dir).toBe("/here/store");
  expect(resolveConfig({ ...BARE, file }).config?.store.dir).toBe("/var/tieout");
  expect(resolveConfig(BARE).config?.jobs).toBe("/here/jobs");
});

describe("a mistake is told with its place and leaves no configuration", () => {
  test.each([
    ["log: { levl: info }", 1, 8, "one of level", "level"],
    ["ttl_seconds: 1", 1, 14, "a whole number from 10 to 86400", null],
    ["engine:\n  memory_limit: plenty", 2, 17, "a whole number and MB or GB, such as 2GB", null],
    ["engine: { threads: many }", 1, 20, "a whole number from 1 to 256", null],
    ["log: { level: warning }", 1, 15, "one of silent, error, warn, info, debug", "warn"],
    ["root: a\nroot: b", 2, 1, "each key once", null],
    ["- a", 1, 1, "a mapping", null],
  ])("%s", (text, line, column, expected, nearest) => {
    const parsed = parseConfig(text, "tieout.yaml");
    expect(parsed.mistakes).toHaveLength(1);
    expect(parsed.mistakes[0]).toMatchObject({ file: "tieout.yaml", line, column, nearest });
    expect(parsed.mistakes[0]?.expected).toContain(expected);
    const resolved = resolveConfig({ ...BARE, file: { parsed, folder: "/" } });
    expect(resolved.config).toBeNull();
    expect(resolved.mistakes).toEqual(parsed.mistakes);
  });

  test("of flags and variables, by their names", () => {
    const { config, mistakes } = resolveConfig({
      ...BARE,
      flags: { "engine.threads": "all" },
      env: { TIEOUT_TTL_SECONDS: "soon" },
    });
    expect(config).toBeNull();
    expect(mistakes.map(mistakeText)).toEqual([
      'TIEOUT_TTL_SECONDS: ttl_seconds is the text "soon"; expected: a whole number from 10 to ' +
        "86400 (how long a claim holds without a heartbeat, in seconds)",
      '--engine-threads: threads is the text "all"; expected: a whole number from 1 to 256 ' +
        "(threads of one evaluation; results do not depend on it)",
    ]);
  });
});

test("a number stays a text where a text is meant", () => {
  const { config } = resolveConfig({ ...BARE, env: { TIEOUT_STORE_PREFIX: "2026" } });
  expect(config?.store.prefix).toBe("2026");
});

test("an empty file sets nothing", () => {
  expect(parseConfig("# nothing yet\n", "tieout.yaml")).toMatchObject({ config: {}, mistakes: [] });
});

test("a variable that is no setting changes nothing, and is named with the nearest that is", () => {
  const env = { TIEOUT_STOR_DIR: "/a", TIEOUT_PORT: "tcp://10.0.0.1:80" };
  expect(resolveConfig({ ...BARE, env }).ignored).toEqual([
    { name: "TIEOUT_PORT", nearest: "TIEOUT_ROOT" },
    { name: "TIEOUT_STOR_DIR", nearest: "TIEOUT_STORE_DIR" },
  ]);
});

test("what a name says is secret is never shown", () => {
  for (const name of ["store.secret_access_key", "api_token", "store.password", "s3.key"])
    expect(shown(name, "hunter2")).toBe("(hidden)");
  expect(shown("store.dir", "/a/keys")).toBe("/a/keys");
});

test("what S3 tools usually read sets endpoint and region, below our own variables", () => {
  const env = {
    AWS_ENDPOINT_URL: "https://any.example",
    AWS_ENDPOINT_URL_S3: "https://s3.example",
    AWS_REGION: "eu-west-1",
    TIEOUT_STORE_S3_REGION: "eu-central-1",
    TIEOUT_STORE_S3_PATH_STYLE: "false",
  };
  const { config, settings } = resolveConfig({ ...BARE, env });
  expect(config?.store.s3).toEqual({
    ...DEFAULTS.store.s3,
    endpoint: "https://s3.example",
    region: "eu-central-1",
    path_style: false,
  });
  const from = settings.find((s) => s.name === "store.s3.endpoint")?.from;
  expect(from).toBe("AWS_ENDPOINT_URL_S3");
});

test("a bucket with its lock and its control prefix is set in the file", () => {
  const text = `store:
  s3: { bucket: evidence, ca_file: ca.pem, lock: { mode: compliance }, control: { prefix: ctl } }
`;
  const { config, mistakes } = resolveConfig({
    ...BARE,
    file: { parsed: parseConfig(text, "tieout.yaml"), folder: "/etc/tieout" },
  });
  expect(mistakes).toEqual([]);
  expect(config?.store.s3).toEqual({
    ...DEFAULTS.store.s3,
    bucket: "evidence",
    ca_file: "/etc/tieout/ca.pem",
    lock: { mode: "compliance", seconds: 3600 },
    control: { bucket: "", prefix: "ctl" },
  });
});

test("destinations of shares are the file's own, their folders relative to it", () => {
  const text = "shares:\n  finance: { dir: copies }\n  audit: { s3: { bucket: audit } }\n";
  const parsed = parseConfig(text, "tieout.yaml");
  const { config, settings } = resolveConfig({ ...BARE, file: { parsed, folder: "/etc/tieout" } });
  expect(config?.shares).toEqual({
    finance: { dir: "/etc/tieout/copies" },
    audit: { s3: { bucket: "audit" } },
  });
  expect(settings.filter((s) => s.name.startsWith("shares."))).toEqual([
    {
      name: "shares.finance",
      shown: "/etc/tieout/copies",
      origin: "file",
      from: "tieout.yaml:2:3",
    },
    { name: "shares.audit", shown: "s3://audit/", origin: "file", from: "tieout.yaml:3:3" },
  ]);
});

test.each(["{}", "{ dir: a, s3: { bucket: abc } }"])(
  "a destination is a folder or a bucket, not %s",
  (d) => {
    const { mistakes } = parseConfig(`shares: { finance: ${d} }\n`, "tieout.yaml");
    expect(mistakes.map((m) => m.expected)).toEqual(["either dir or s3"]);
  },
);
