import { lstat, readdir, rm } from "node:fs/promises";
import { duckdbDialect } from "../dialects/duckdb.js";
import type { Path } from "../model/ids.js";
import { type EngineProcess, startProcess } from "./duckdb-process.js";
import { type SessionOptions, spillPrefix } from "./duckdb-session.js";
import type { Engine, Question } from "./engine.js";

/** The version that package.json pins; a child that finds another one refuses to work. */
export const DUCKDB_VERSION = "1.5.6";

export interface DuckdbOptions extends SessionOptions {
  /** A process above this resident memory is killed: 3 GiB by default. */
  readonly rss_bytes?: number;
}

/**
 * DuckDB in child processes. Foreign SQL is evaluated in a fresh one: interrupted after `soft_ms`
 * (60 s by default), killed 2 s later if that does not stop it. Our own questions are answered by
 * one that lives until `close`, without a time limit. A child has no environment and no output, and
 * ends when this process does, however that happens.
 */
export function duckdb(options: DuckdbOptions): Engine {
  const { soft_ms = 60_000, rss_bytes = 3 * 2 ** 30, ...session } = options;
  const start = (o: SessionOptions) => () =>
    startProcess({ options: o, rss_bytes }, DUCKDB_VERSION);
  const own = lazily(start(session));
  const foreign = lazily(start({ ...session, soft_ms }));
  let streams = 0;
  return {
    name: "duckdb",
    version: DUCKDB_VERSION,
    dialect: duckdbDialect,
    vet: (...args) => foreign.get().call(soft_ms, "vet", ...args),
    evaluate: async (e) => {
      const child = foreign.take();
      try {
        return await wholeOrNothing(e.to, child, session.temp, () =>
          child.call(soft_ms, "evaluate", e),
        );
      } finally {
        await child.retire();
      }
    },
    ask: (q) => own.get().call(null, "ask", q),
    render: (q) => {
      const child = own.get();
      return wholeOrNothing(q.to, child, session.temp, () => child.call(null, "render", q));
    },
    stream: (q) => streamed(own.get(), ++streams, q),
    close: async () => {
      await Promise.all([own.end(), foreign.end()]);
    },
  };
}

interface Lazy {
  readonly get: () => EngineProcess;
  /** The process, not to be given again. */
  readonly take: () => EngineProcess;
  readonly end: () => Promise<void>;
}

/** A process that starts when it is first wanted, and anew when it has ended. */
function lazily(start: () => EngineProcess): Lazy {
  let current: EngineProcess | null = null;
  const get = (): EngineProcess => {
    if (current === null || !current.alive()) current = start();
    return current;
  };
  return {
    get,
    take: () => {
      const taken = get();
      current = null;
      return taken;
    },
    end: async () => {
      await current?.kill();
      current = null;
    },
  };
}

/** A process that was killed while it wrote leaves a cut file and its spills: both are removed. */
async function wholeOrNothing<T>(
  to: Path,
  child: EngineProcess,
  temp: string,
  work: () => Promise<T>,
): Promise<T> {
  const taken = await lstat(to).then(
    () => true,
    () => false,
  );
  try {
    return await work();
  } catch (e) {
    if (child.alive()) throw e; // it cleaned up by itself
    await child.kill();
    if (!taken) await rm(to, { force: true });
    const spills = (await readdir(temp)).filter((f) => f.startsWith(spillPrefix(child.pid)));
    for (const spill of spills) await rm(`${temp}/${spill}`, { recursive: true, force: true });
    throw e;
  }
}

async function* streamed(child: EngineProcess, stream: number, question: Question) {
  await child.call(null, "open", stream, question);
  try {
    while (true) {
      const batch = await child.call(null, "next", stream);
      if (batch === null) return;
      yield batch;
    }
  } finally {
    if (child.alive()) await child.call(null, "drop", stream);
  }
}
