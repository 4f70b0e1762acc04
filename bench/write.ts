/**
 * An artefact written, hashed and sealed beside the engine's bare COPY of the same rows:
 * `npm run build && npx tsx bench/write.ts [rows]`. Each turn is a process of its own.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Column } from "../src/model/columns.js";
import { ColumnName, type Path, RelationRef } from "../src/model/ids.js";
import { cost, machine, median } from "./measure.js";

const built = (module: string): string => new URL(`../dist/${module}`, import.meta.url).href;
const project = fileURLToPath(new URL("..", import.meta.url));
const TURNS = 5;
const TYPES = { id: "text", account: "text", amount: "money(USD)", memo: "text" } as const;
const columns: Column[] = Object.entries(TYPES).map(([name, type]) => ({
  name: ColumnName.parse(name),
  type,
}));

async function run(sql: string): Promise<void> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(sql);
  connection.closeSync();
}

function make(dir: string, rows: number): Promise<void> {
  return run(
    `COPY (SELECT 'TX' || lpad(i::VARCHAR, 10, '0') AS id, 'ACC' || (hash(i) % 5000) AS account,
       ((hash(i * 13) % 10000000)::DECIMAL(16,0) * 0.01)::DECIMAL(18,2) AS amount,
       'settlement line ' || i AS memo
     FROM range(${rows}) t(i) ORDER BY hash(i)) TO '${dir}/rows.parquet' (FORMAT parquet)`,
  );
}

/** What a careful person writes by hand: the same order, the same bytes. */
function bareCopy(dir: string): Promise<void> {
  rmSync(`${dir}/copy.csv`, { force: true });
  const rows = `SELECT * FROM read_parquet('${dir}/rows.parquet') ORDER BY id, account, amount, memo`;
  return run(`COPY (${rows}) TO '${dir}/copy.csv' (FORMAT csv, HEADER)`);
}

async function writeSealed(dir: string, rows: number): Promise<void> {
  const { duckdbInline }: typeof import("../src/engines/duckdb-inline.js") = await import(
    built("engines/duckdb-inline.js")
  );
  const { localFolder }: typeof import("../src/folders/local.js") = await import(
    built("folders/local.js")
  );
  const [draft, to] = [`${dir}/draft.csv` as Path, `${dir}/sealed.csv` as Path];
  for (const old of [draft, to]) rmSync(old, { force: true });
  const engine = await duckdbInline({ temp: dir });
  const file = { path: `${dir}/rows.parquet` as Path, format: "parquet" as const };
  await engine.evaluate({
    ...{ sql: "SELECT * FROM rows", columns, allow: [], to: draft, format: "csv" },
    relations: [{ name: RelationRef.parse("rows"), columns, files: [file], rows }],
    order_by: [{ column: "id", abs: false, down: false }],
  });
  await localFolder(dir as Path).seal(draft, to);
  await engine.close();
}

async function compare(rows: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "tieout-bench-"));
  try {
    await make(dir, rows);
    const turn = (kind: string) =>
      median(TURNS, () => {
        const script = ["--import", "tsx", fileURLToPath(import.meta.url)];
        return cost([process.execPath, ...script, kind, dir, String(rows)], project);
      });
    // The process itself, its loader included, is no part of either.
    const nothing = await turn("nothing");
    const [copy, sealed] = [await turn("copy"), await turn("sealed")];
    const net = (c: typeof copy): number => c.cpu_s - nothing.cpu_s;
    const size = Math.round(statSync(`${dir}/sealed.csv`).size / 1e6);
    console.log(`write and hash ${rows} rows (${size} MB); ${machine()}`);
    console.log(`COPY alone ${net(copy).toFixed(2)} CPU-s, sealed ${net(sealed).toFixed(2)} CPU-s`);
    console.log(`ratio  ${(net(sealed) / net(copy)).toFixed(2)} × CPU`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const [what = "1000000", dir, rows = "0"] = process.argv.slice(2);
if (dir === undefined) await compare(Number(what));
else if (!existsSync(dir)) throw new Error(`no folder ${dir}`);
else if (what === "copy") await bareCopy(dir);
else if (what === "sealed") await writeSealed(dir, Number(rows));
