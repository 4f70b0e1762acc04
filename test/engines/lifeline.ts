import { DUCKDB_VERSION } from "../../src/engines/duckdb.js";
import { startProcess } from "../../src/engines/duckdb-process.js";

/** A parent that has its child work for long, and tells the child's process id. */
const [, , temp = ""] = process.argv;
const child = startProcess({ options: { temp }, rss_bytes: 2 ** 40 }, DUCKDB_VERSION);
const question = { params: [], relations: [], limit: 1 };
await child.call(null, "ask", { ...question, sql: "SELECT 1" });
process.stdout.write(`${child.pid}\n`);
await child.call(null, "ask", {
  ...question,
  sql: "SELECT count(*) FROM range(10000000) a(i), range(10000000) b(j) WHERE i * j % 7 = 9",
});
