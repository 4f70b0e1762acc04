/**
 * Ingest beside the engine's own typed read of the same file, both as built:
 * `npm run build && npx tsx bench/ingest.ts [rows]`.
 * Each run is a process of its own, the two take turns, and the median of each is compared.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Engine } from "../src/engines/engine.js";
import { type Path, RelationName } from "../src/model/ids.js";
import { InputSpec } from "../src/model/job.js";

const built = (module: string): string => new URL(`../dist/${module}`, import.meta.url).href;
const { duckdbInline }: typeof import("../src/engines/duckdb-inline.js") = await import(
  built("engines/duckdb-inline.js")
);
const { csvReader }: typeof import("../src/readers/csv.js") = await import(built("readers/csv.js"));

const TURNS = 7;
const COLUMNS = {
  refund_id: ["text", "VARCHAR", "'R' || lpad(i::VARCHAR, 9, '0')"],
  seller_id: ["text", "VARCHAR", "'S' || hash(i) % 5000"],
  refunded_on: ["date", "DATE", "DATE '2026-01-01' + (hash(i * 7) % 200)::INTEGER"],
  amount: [
    "money(USD)",
    "DECIMAL(18,2)",
    "((hash(i * 13) % 1000000)::BIGINT - 300000)::DECIMAL(16,0) * 0.01",
  ],
  fee: ["money(USD)", "DECIMAL(18,2)", "(hash(i * 3) % 100000)::DECIMAL(16,0) * 0.01"],
  quantity: ["integer", "BIGINT", "hash(i * 5) % 90"],
  memo: ["text", "VARCHAR", "'memo text ' || i"],
  currency: ["text", "VARCHAR", "CASE WHEN i % 3 = 0 THEN 'EUR' ELSE 'USD' END"],
} as const;
const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

type Kind = "engine" | "ingest";
interface Cost {
  readonly cpu: number;
  readonly seconds: number;
  readonly rss: number;
}

async function withEngine<T>(dir: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await duckdbInline({ temp: dir });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

async function make(dir: string, rows: number): Promise<void> {
  const values = names.map((n) => `CAST(${COLUMNS[n][2]} AS ${COLUMNS[n][1]}) AS ${n}`);
  const sql = `SELECT ${values.join(", ")} FROM range(${rows}) t(i)`;
  const to = join(dir, "refunds.csv") as Path;
  const question = { sql, params: [], relations: [], sources: [] };
  await withEngine(dir, (e) => e.render({ ...question, to, format: "csv" }));
}

/** The engine's typed read, told every type: what a careful person writes by hand. */
async function engineRead(engine: Engine, file: Path, to: Path): Promise<number> {
  const columns = names.map((n) => `${n}: '${COLUMNS[n][1]}'`).join(", ");
  const form = `auto_detect = false, header = true, delim = ',', quote = '"', escape = '"'`;
  const sql = `SELECT * FROM read_csv('${file}', ${form}, columns = {${columns}})`;
  const question = { sql, params: [], relations: [], sources: [file] };
  return (await engine.render({ ...question, to, format: "parquet" })).rows;
}

async function ingest(engine: Engine, file: Path, to: Path): Promise<number> {
  const columns = Object.fromEntries(names.map((n) => [n, COLUMNS[n][0]]));
  const reading = await csvReader().read(
    {
      input: RelationName.parse("refunds"),
      spec: InputSpec.parse({ file: "refunds.csv", columns }),
      files: [{ path: file, source: "refunds.csv" }],
      typed: (n) => `${to}.${n}` as Path,
      rejects: `${to}.rejects.csv` as Path,
    },
    engine,
  );
  return reading.rows;
}

async function once(kind: Kind, dir: string): Promise<void> {
  const file = join(dir, "refunds.csv") as Path;
  const to = join(dir, `${kind}.parquet`) as Path;
  for (const old of [to, `${to}.0`]) rmSync(old, { force: true });
  const [cpu, start] = [process.cpuUsage(), process.hrtime.bigint()];
  const rows = await withEngine(dir, (e) => (kind === "engine" ? engineRead : ingest)(e, file, to));
  const used = process.cpuUsage(cpu);
  const cost: Cost = {
    cpu: (used.user + used.system) / 1e6,
    seconds: Number(process.hrtime.bigint() - start) / 1e9,
    rss: process.resourceUsage().maxRSS / 1024,
  };
  process.stdout.write(`${JSON.stringify({ ...cost, rows })}\n`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function turn(kind: Kind, dir: string): Cost {
  const args = ["--import", "tsx", fileURLToPath(import.meta.url), kind, dir];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Cost;
}

async function compare(rows: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "tieout-bench-"));
  try {
    await make(dir, rows);
    const costs: Record<Kind, Cost[]> = { engine: [], ingest: [] };
    for (let n = 0; n < TURNS; n++)
      for (const kind of ["engine", "ingest"] as const) costs[kind].push(turn(kind, dir));
    const of = (kind: Kind, what: keyof Cost): number => median(costs[kind].map((c) => c[what]));
    const size = statSync(join(dir, "refunds.csv")).size;
    const [cpu] = cpus();
    console.log(`ingest of ${rows} rows, ${names.length} columns, ${Math.round(size / 1e6)} MB`);
    const machine = `${cpus().length} × ${cpu?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
    const today = new Date().toISOString().slice(0, 10);
    console.log(`${today}, node ${process.version}, ${machine}; medians of ${TURNS}`);
    for (const [what, unit] of [
      ["cpu", "CPU-s"],
      ["seconds", "s"],
      ["rss", "MiB"],
    ] as const) {
      const [theirs, ours] = [of("engine", what), of("ingest", what)];
      const ratio = (ours / theirs).toFixed(2);
      console.log(
        `${unit.padEnd(6)} engine's typed read ${theirs.toFixed(2)}, ingest ${ours.toFixed(2)}: ${ratio} ×`,
      );
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const [what, dir] = process.argv.slice(2);
if ((what === "engine" || what === "ingest") && dir !== undefined && existsSync(dir))
  await once(what, dir);
else await compare(Number(what ?? 1_000_000));
