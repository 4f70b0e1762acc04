import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { duckdbDialect } from "../dialects/duckdb.js";
import { spillPrefix } from "./duckdb-files.js";
import { MONEY_DIV } from "./duckdb-money.js";
import { DuckDBInstance } from "./duckdb-native.js";

export interface SessionOptions {
  /** An existing folder that spills may go to; each session uses a name of its own below it. */
  readonly temp: string;
  /** DuckDB's own cap, such as "2GB". RSS can pass it by a tenth. */
  readonly memory_limit?: string;
  /** Spill cap, such as "10GB". */
  readonly temp_limit?: string;
  /** All cores by default; files have the same bytes whatever the number. */
  readonly threads?: number;
  /** A statement that runs longer is interrupted; absent: never. */
  readonly soft_ms?: number;
}

/** A result column: its name as written and its type in DuckDB's words. */
export interface Native {
  readonly name: string;
  readonly type: string;
}
export type Cell = string | number | boolean | null | object;

/** One in-memory database. Errors are DuckDB's own, as JSON text. */
export interface Session {
  readonly run: (sql: string) => Promise<void>;
  readonly rows: (sql: string, params?: readonly string[]) => Promise<Cell[][]>;
  /** Columns of a SELECT, found by binding it. */
  readonly columns: (sql: string) => Promise<Native[]>;
  /** Batches of at most 2,048 rows. */
  readonly batches: (
    sql: string,
    params: readonly string[],
  ) => Promise<{ readonly columns: Native[]; readonly batches: AsyncIterable<Cell[][]> }>;
  /** From here on no file but these can be opened and no setting changed. */
  readonly lock: (files: readonly string[]) => Promise<void>;
  readonly close: () => void;
}

const CLOSED_WORLD = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  allow_unsigned_extensions: "false",
  allow_persistent_secrets: "false",
  errors_as_json: "true",
};
let opened = 0;

export async function openSession(options: SessionOptions): Promise<Session> {
  const instance = await DuckDBInstance.create(":memory:", {
    ...CLOSED_WORLD,
    memory_limit: options.memory_limit ?? "2GB",
    temp_directory: `${options.temp}/${spillPrefix(process.pid)}${opened++}`,
    max_temp_directory_size: options.temp_limit ?? "10GB",
    ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
  });
  const connection = await instance.connect();
  await connection.run(`SET GLOBAL TimeZone='UTC'; ${MONEY_DIV.join("; ")}`);
  return sessionOn(connection, options.soft_ms ?? null, () => {
    connection.closeSync();
    instance.closeSync();
  });
}

function sessionOn(
  connection: DuckDBConnection,
  soft_ms: number | null,
  close: () => void,
): Session {
  const timed = <T>(work: () => Promise<T>) => interrupted(connection, soft_ms, work);
  const run = (sql: string) =>
    timed(async () => {
      await connection.run(sql);
    });
  return {
    run,
    rows: (sql, params = []) =>
      timed(async () =>
        (await (await bound(connection, sql, params)).runAndReadAll()).getRowsJson(),
      ),
    columns: async (sql) => nativeColumns(await connection.prepare(sql)),
    batches: async (sql, params) => {
      const statement = await bound(connection, sql, params);
      const result = await timed(() => statement.stream());
      return { columns: nativeColumns(statement), batches: result.yieldRowsJson() };
    },
    lock: async (files) => {
      const list = files.map(duckdbDialect.text).join(", ");
      await run(`SET allowed_paths=[${list}]`);
      await run("SET enable_external_access=false");
      await run("SET lock_configuration=true");
    },
    close,
  };
}

async function bound(
  connection: DuckDBConnection,
  sql: string,
  params: readonly string[],
): Promise<DuckDBPreparedStatement> {
  const statement = await connection.prepare(sql);
  for (const [i, value] of params.entries()) statement.bindVarchar(i + 1, value);
  return statement;
}

function nativeColumns(statement: DuckDBPreparedStatement): Native[] {
  return Array.from({ length: statement.columnCount }, (_, i) => ({
    name: statement.columnName(i),
    type: String(statement.columnType(i)),
  }));
}

async function interrupted<T>(
  connection: DuckDBConnection,
  soft_ms: number | null,
  work: () => Promise<T>,
): Promise<T> {
  if (soft_ms === null) return work();
  const timer = setTimeout(() => connection.interrupt(), soft_ms);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
