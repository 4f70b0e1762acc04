/**
 * The whole run beside its floor, in CPU seconds of the whole process tree:
 * `npm run build && npx tsx bench/walk.ts [rows a side] [runs]`.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { cost, machine, median } from "./measure.js";

const project = fileURLToPath(new URL("..", import.meta.url));
const [rows = "1000000", runs = "3"] = process.argv.slice(2);

/** One side: ids in a scattered order; one amount in a hundred differs, one row in a thousand is missing. */
async function ledger(to: string, side: "left" | "right"): Promise<void> {
  const off = side === "left" ? "0" : "CASE WHEN i % 100 = 7 THEN 1 ELSE 0 END";
  const gone = side === "left" ? "i % 1000 <> 11" : "i % 1000 <> 13";
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT 'TX' || lpad(i::VARCHAR, 10, '0') AS id, 'ACC' || (hash(i) % 5000) AS account,
       DATE '2026-01-01' + (hash(i * 7) % 200)::INTEGER AS booked_on,
       (((hash(i * 13) % 10000000)::BIGINT - 3000000 + ${off})::DECIMAL(16,0) * 0.01)::DECIMAL(18,2) AS amount,
       'settlement line ' || i AS memo
     FROM range(${rows}) t(i) WHERE ${gone} ORDER BY hash(i + ${side === "left" ? 1 : 2}))
     TO '${to}/${side}.csv' (FORMAT csv, HEADER)`,
  );
  connection.closeSync();
}

const dir = mkdtempSync(join(tmpdir(), "tieout-bench-"));
try {
  const exports = join(dir, "exports");
  mkdirSync(exports);
  for (const side of ["left", "right"] as const) await ledger(exports, side);
  cpSync(join(project, "bench/jobs"), join(dir, "jobs"), { recursive: true });
  const size = statSync(join(exports, "left.csv")).size;
  const floor = await median(Number(runs), () =>
    cost([process.execPath, join(project, "bench/floor.mjs"), exports], project),
  );
  const run = await median(Number(runs), async () => {
    rmSync(join(dir, ".tieout"), { recursive: true, force: true });
    const args = ["run", "compare", "--as-of", "2026-08-10", "--inputs", exports];
    return cost(
      [process.execPath, join(project, "dist/bin.js"), ...args, "--engine-timeout-seconds", "3600"],
      dir,
    );
  });
  console.log(`whole run at ${rows} rows a side (${Math.round(size / 1e6)} MB each); ${machine()}`);
  for (const [name, c] of [
    ["floor", floor],
    ["run", run],
  ] as const) {
    console.log(
      `${name.padEnd(6)} ${c.cpu_s.toFixed(2)} CPU-s  ${c.wall_s.toFixed(2)} s  ${Math.round(c.rss_mb)} MB`,
    );
  }
  console.log(`ratio  ${(run.cpu_s / floor.cpu_s).toFixed(2)} × CPU`);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
