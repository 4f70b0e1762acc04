import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { version } from "@duckdb/node-api";
import { afterAll, describe, expect, test } from "vitest";
import { DUCKDB_VERSION, type DuckdbOptions, duckdb } from "../../src/engines/duckdb.js";
import type { Evaluation } from "../../src/engines/engine.js";
import { engineContract } from "../engine.contract.js";
import { at } from "./relations.js";

engineContract({ open: async (temp, threads) => duckdb({ temp, threads }), runs: 2 });

const LINUX = existsSync("/proc/self/environ");
const dir = mkdtempSync(`${tmpdir()}/tieout-child-`);
afterAll(() => rmSync(dir, { recursive: true, force: true }));
let files = 0;

async function failing(sql: string, options: Partial<DuckdbOptions>): Promise<unknown> {
  const engine = duckdb({ temp: dir, threads: 1, ...options });
  const evaluation: Evaluation = {
    sql,
    relations: [],
    columns: null,
    order_by: [],
    to: at(dir, `${files++}.csv`),
    format: "csv",
    allow: ["repeat"],
  };
  try {
    return await engine.evaluate(evaluation).catch((e: unknown) => e);
  } finally {
    await engine.close();
  }
}

test("the pinned version is the installed one", () => {
  expect(`v${DUCKDB_VERSION}`).toBe(version());
});

describe("a SELECT that runs away is ended, and leaves nothing", () => {
  const digits = "(VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(0)) t";
  const runaway = `SELECT count(*) AS n FROM ${Array.from({ length: 12 }, (_, i) => `${digits}${i}`).join(", ")}`;
  const uninterruptible = "SELECT length(repeat('x', 3000000000)) AS n";

  test("by an interrupt where that is heard", async () => {
    expect(await failing(runaway, { soft_ms: 300 })).toMatchObject({ code: "TIMEOUT" });
  });
  test("by the end of its process where it is not, or by its memory", async () => {
    const error = await failing(uninterruptible, { soft_ms: 1, rss_bytes: 2 ** 40 });
    expect(error).toMatchObject({ code: expect.stringMatching(/^(TIMEOUT|MEMORY|SQL)$/) });
    expect(await failing(uninterruptible, { rss_bytes: 400 * 2 ** 20 })).toMatchObject({
      code: "MEMORY",
    });
  });
  test("neither a file nor a spill is left", () => {
    expect(readdirSync(dir)).toEqual([]);
  });
});

test("closing an engine ends what it does with INTERRUPTED, and leaves nothing", async () => {
  const engine = duckdb({ temp: dir });
  const to = at(dir, "closed.csv");
  const rows = "SELECT * FROM range(1000000000) t(i)";
  const request = { params: [], relations: [], sources: [], to, format: "csv" } as const;
  const render = engine.render({ ...request, sql: rows }).catch((e: unknown) => e);
  await expect.poll(() => existsSync(to), { timeout: 20_000 }).toBe(true);
  await engine.close();
  expect(await render).toMatchObject({ code: "INTERRUPTED" });
  expect(readdirSync(dir)).toEqual([]);
});

describe("a child", () => {
  test("is gone when its parent was killed, also in the middle of its work", async () => {
    const script = fileURLToPath(new URL("./lifeline.ts", import.meta.url));
    const parent = spawn(process.execPath, ["--import", "tsx", script, dir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once("data", (text: Buffer) => resolve(Number(text.toString())));
    });
    expect(runs(pid)).toBe(true);
    parent.kill("SIGKILL");
    await expect.poll(() => runs(pid), { timeout: 20_000 }).toBe(false);
  });

  test.skipIf(!LINUX)("has no environment (Linux only: /proc shows it)", async () => {
    const engine = duckdb({ temp: dir });
    await engine.ask({ sql: "SELECT 1", params: [], relations: [], limit: 1 });
    const environments = (await children()).map((pid) =>
      readFileSync(`/proc/${pid}/environ`, "utf8"),
    );
    await engine.close();
    expect(environments.length).toBeGreaterThan(0);
    for (const environment of environments)
      expect(environment.replaceAll(/NODE_CHANNEL\w+=\w+\0/g, "")).toBe("");
  });

  test.skipIf(!LINUX)("is shared by a batch and by nothing else (Linux only)", async () => {
    const engine = duckdb({ temp: dir });
    const evaluate = (batch: string) => {
      const to = at(dir, `${files++}.csv`);
      const request = { relations: [], columns: null, order_by: [], format: "csv" } as const;
      return engine.evaluate({ ...request, sql: "SELECT 1 AS a", to, allow: [], batch });
    };
    const others = await children();
    const own = async () => (await children()).filter((pid) => !others.includes(pid));
    await evaluate("a");
    const first = await own();
    await evaluate("a");
    expect(await own()).toEqual(first);
    await evaluate("b");
    await expect.poll(own).toHaveLength(1);
    expect(await own()).not.toEqual(first);
    await engine.close();
    expect(await own()).toEqual([]);
  });

  test("that died is replaced: the next question is answered", async () => {
    const engine = duckdb({ temp: dir, rss_bytes: 400 * 2 ** 20 });
    const ask = (sql: string) => engine.ask({ sql, params: [], relations: [], limit: 1 });
    await expect(ask("SELECT length(repeat('x', 3000000000))")).rejects.toMatchObject({
      code: "MEMORY",
    });
    expect((await ask("SELECT 1")).rows).toEqual([["1"]]);
    await engine.close();
  });
});

/** Process ids of this process's engine children, from /proc. */
async function children(): Promise<string[]> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "--ppid", `${process.pid}`]);
  const pids = stdout.split("\n").map((line) => line.trim());
  return pids.filter(
    (pid) =>
      existsSync(`/proc/${pid}/cmdline`) &&
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("duckdb-child"),
  );
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !LINUX || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
