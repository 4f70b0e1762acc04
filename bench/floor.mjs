// What the run cannot do without: the bare query over both files, then one SHA-256 pass over every byte
// that was read and written. `node bench/floor.mjs <folder>`
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, rmSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const [dir] = process.argv.slice(2);
const out = `${dir}/floor.csv`;
rmSync(out, { force: true });

const columns =
  "{id: 'VARCHAR', account: 'VARCHAR', booked_on: 'DATE', amount: 'DECIMAL(18,2)', memo: 'VARCHAR'}";
/** @param {string} name */
const ledger = (name) =>
  `read_csv('${dir}/${name}.csv', auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', columns = ${columns})`;
const instance = await DuckDBInstance.create(":memory:", { threads: "2", memory_limit: "2GB", temp_directory: `${dir}/floor-temp` });
const connection = await instance.connect();
await connection.run(
  `COPY (SELECT coalesce(l.id, r.id) AS id, l.amount AS left_amount, r.amount AS right_amount
    FROM ${ledger("left")} AS l FULL OUTER JOIN ${ledger("right")} AS r ON r.id = l.id
    WHERE l.amount IS DISTINCT FROM r.amount ORDER BY id) TO '${out}' (FORMAT csv, HEADER)`,
);
for (const path of [`${dir}/left.csv`, `${dir}/right.csv`, out]) {
  const hash = createHash("sha256");
  const block = Buffer.allocUnsafe(1 << 20);
  const file = openSync(path, "r");
  for (let n = readSync(file, block); n > 0; n = readSync(file, block)) hash.update(block.subarray(0, n));
  closeSync(file);
  hash.digest("hex");
}
