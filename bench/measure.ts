import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/** What a command and every process below it used. */
export interface Cost {
  /** User and system seconds of the whole tree. */
  readonly cpu_s: number;
  readonly wall_s: number;
  /** Highest sum of resident memory over the tree, sampled every 20 ms; 0 where there is no /proc. */
  readonly rss_mb: number;
}

/** Runs a command through the shell's own accounting. @throws Error when it does not exit with 0 */
export async function cost(command: readonly string[], cwd: string): Promise<Cost> {
  const began = process.hrtime.bigint();
  const script = `"$@" >/dev/null 2>&1; code=$?; times; exit $code`;
  const child = spawn("bash", ["-c", script, "bash", ...command], { cwd });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, treeRss(child.pid ?? 0));
  }, 20);
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  const code = await new Promise<number | null>((done) => child.on("close", done));
  clearInterval(watch);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
  const wall_s = Number(process.hrtime.bigint() - began) / 1e9;
  const children = out.trim().split("\n").at(-1) ?? "";
  const cpu_s = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, m) => sum + Number(m[1]) * 60 + Number(m[2]),
    0,
  );
  return { cpu_s, wall_s, rss_mb: peak / 1e6 };
}

/** The middle one by CPU of several runs, with the spread. */
export async function median(runs: number, once: () => Promise<Cost>): Promise<Cost> {
  const all: Cost[] = [];
  for (let i = 0; i < runs; i++) all.push(await once());
  const sorted = all.sort((a, b) => a.cpu_s - b.cpu_s);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("no run was measured");
  return { ...middle, rss_mb: Math.max(...all.map((c) => c.rss_mb)) };
}

export function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ${memory} GiB`;
}

function treeRss(root: number): number {
  let sum = 0;
  for (const pid of tree(root)) {
    const status = readProc(`${pid}/status`);
    sum += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  }
  return sum;
}

function tree(root: number): number[] {
  const below = readProc(`${root}/task/${root}/children`).trim().split(" ").filter(Boolean);
  return [root, ...below.flatMap((pid) => tree(Number(pid)))];
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, "utf8");
  } catch {
    return "";
  }
}
