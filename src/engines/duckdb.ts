import { rm } from "node:fs/promises";
import { duckdbDialect } from "../dialects/duckdb.js";
import type { Path } from "../model/ids.js";
import { exists, removeSpills } from "./duckdb-files.js";
import { type EngineProcess, startProcess } from "./duckdb-process.js";
import type { SessionOptions } from "./duckdb-session.js";
import type { Engine, Question } from "./engine.js";

/** The version that package.json pins; a child that finds another one refuses to work. */
export const DUCKDB_VERSION = "1.5.6";

const GIB = 2 ** 30;

export interface DuckdbOptions extends SessionOptions {
  /** A process above this resident memory is killed: 1.25 `memory_limit` and 1 GiB by default. */
  readonly rss_bytes?: number;
}

/**
 * DuckDB in child processes. Foreign SQL is evaluated in a fresh one: interrupted after `soft_ms`
 * (60 s by default), killed 2 s later if that does not stop it. Our own questions are answered by
 * one that lives until `close`, without a time limit. A child has no environment and no output, and
 * ends when this process does, however that happens. `close` in the middle of a call ends it with
 * INTERRUPTED.
 */
export function duckdb(options: DuckdbOptions): Engine {
  const { soft_ms = 60_000, rss_bytes = rssFor(options.memory_limit), ...session } = options;
  const live = new Set<EngineProcess>();
  const start = (o: SessionOptions) => (): EngineProcess => {
    const child = startProcess({ options: o, rss_bytes }, DUCKDB_VERSION);
    live.add(child);
    return child;
  };
  const own = lazily(start(session));
  const foreign = lazily(start({ ...session, soft_ms }));
  const ended = async (child: EngineProcess): Promise<void> => {
    await child.retire();
    live.delete(child);
  };
  const batch = batched(foreign, ended);
  let streams = 0;
  return {
    name: "duckdb",
    version: DUCKDB_VERSION,
    dialect: duckdbDialect,
    vet: (...args) => foreign.get().call(soft_ms, "vet", ...args),
    evaluate: async (e) => {
      const child = batch.of(e.batch);
      try {
        return await wholeOrNothing(e.to, child, session.temp, () =>
          child.call(soft_ms, "evaluate", e),
        );
      } finally {
        if (e.batch === undefined) await ended(child);
      }
    },
    ask: (q) => own.get().call(null, "ask", q),
    render: (q) => {
      const child = own.get();
      return wholeOrNothing(q.to, child, session.temp, () => child.call(null, "render", q));
    },
    stream: (q) => streamed(own.get(), ++streams, q),
    close: async () => {
      await Promise.all([...live].map((child) => child.kill()));
    },
  };
}

/** Resident memory passes DuckDB's own limit by a tenth, and Node comes on top. */
function rssFor(memory_limit = "2GB"): number {
  const m = /^(\d+)(MB|GB)$/.exec(memory_limit);
  const bytes = m ? Number(m[1]) * (m[2] === "GB" ? GIB : GIB / 1024) : 2 * GIB;
  return bytes * 1.25 + GIB;
}

interface Lazy {
  readonly get: () => EngineProcess;
  /** The process, not to be given again. */
  readonly take: () => EngineProcess;
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
  };
}

/** A batch keeps its process until another evaluation comes between; any other has a fresh one. */
function batched(fresh: Lazy, ended: (child: EngineProcess) => Promise<void>) {
  let open: { readonly batch: string; readonly child: EngineProcess } | null = null;
  return {
    of: (batch: string | undefined): EngineProcess => {
      if (open !== null && open.batch === batch && open.child.alive()) return open.child;
      if (open !== null) void ended(open.child);
      const child = fresh.take();
      open = batch === undefined ? null : { batch, child };
      return child;
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
  const taken = await exists(to);
  try {
    return await work();
  } catch (e) {
    if (child.alive()) throw e; // it cleaned up by itself
    await child.kill();
    if (!taken) await rm(to, { force: true });
    removeSpills(temp, child.pid);
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
