/**
 * The process that holds DuckDB: answers one parent over its IPC channel, and is gone when the
 * parent is, or when it holds more memory than it may. Nobody looks at its output.
 */
import type { Table } from "../model/relation.js";
import { removeSpills } from "./duckdb-files.js";
import { duckdbInline } from "./duckdb-inline.js";
import { type Calls, type FromChild, type Start, type ToChild, wireOf } from "./duckdb-protocol.js";
import type { Engine } from "./engine.js";

const WATCH_MS = 50;
let calls: Calls | null = null;
let temp: string | null = null;

process.on("disconnect", die); // the lifeline: the parent ended, whatever it was that ended it
process.on("message", (message: ToChild) => {
  answer(message).then(
    (value) => tell({ id: message.id, value }),
    (e: unknown) => tell({ id: message.id, error: wireOf(e) }),
  );
});

async function answer(message: ToChild): Promise<unknown> {
  if ("start" in message) return start(message.start);
  if (calls === null) throw new Error("the child was asked before it was started");
  const call = calls[message.op] as (...args: readonly unknown[]) => Promise<unknown>;
  return call(...message.args);
}

async function start({ options, rss_bytes }: Start): Promise<string> {
  temp = options.temp;
  const engine = await duckdbInline(options);
  calls = callsOf(engine);
  setInterval(() => watch(rss_bytes), WATCH_MS);
  return engine.version;
}

function callsOf(engine: Engine): Calls {
  const streams = new Map<number, AsyncIterator<Table["rows"]>>();
  return {
    vet: engine.vet,
    evaluate: engine.evaluate,
    ask: engine.ask,
    render: engine.render,
    open: async (stream, question) => {
      streams.set(stream, engine.stream(question)[Symbol.asyncIterator]());
      return null;
    },
    next: async (stream) => {
      const result = await streams.get(stream)?.next();
      if (result === undefined) throw new Error(`no stream ${stream} is open`);
      return result.done ? null : result.value;
    },
    drop: async (stream) => {
      await streams.get(stream)?.return?.();
      streams.delete(stream);
      return null;
    },
  };
}

function watch(rss_bytes: number): void {
  if (process.memoryUsage.rss() <= rss_bytes) return;
  const message: FromChild = { memory: true };
  process.send?.(message, die); // native work is freed by nothing but the end of its process
}

function tell(message: FromChild): void {
  process.send?.(message);
}

function die(): void {
  try {
    if (temp !== null) removeSpills(temp, process.pid);
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}
