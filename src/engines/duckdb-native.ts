import { createRequire } from "node:module";
import type * as Api from "@duckdb/node-api";

/**
 * The vendor's package, by require: an import parses each of its hundred CommonJS files for names
 * first, which is a third of what starting a process that holds DuckDB costs.
 */
const api: typeof Api = createRequire(import.meta.url)("@duckdb/node-api");

export const DuckDBInstance = api.DuckDBInstance;
export const version = api.version;
