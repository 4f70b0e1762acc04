import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { TieoutError } from "../model/errors.js";
import {
  type Calls,
  errorOf,
  type FromChild,
  type Start,
  type ToChild,
} from "./duckdb-protocol.js";

/** This long after its soft limit an answer is given up and the process killed. */
const GRACE_MS = 2_000;

/** One child that holds DuckDB. */
export interface EngineProcess {
  readonly pid: number | undefined;
  /**
   * With `limit_ms` null an answer may take any time.
   * @throws what the child threw; TIMEOUT, MEMORY, SQL or INTERRUPTED when its process ended
   */
  readonly call: <K extends keyof Calls>(
    limit_ms: number | null,
    op: K,
    ...args: Parameters<Calls[K]>
  ) => ReturnType<Calls[K]>;
  readonly alive: () => boolean;
  /** Ends the process as soon as no call is open; resolves when it is gone. */
  readonly retire: () => Promise<void>;
  /** Ends the process; open calls throw INTERRUPTED. Resolves when it is gone. */
  readonly kill: () => Promise<void>;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (e: Error) => void;
}

/** `version`: the DuckDB that the child must find. */
export function startProcess(start: Start, version: string): EngineProcess {
  const child = spawned();
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let ended: Error | null = null;
  let retiring = false;
  const end = (e: Error): void => {
    ended ??= e;
    for (const w of waiting.values()) w.reject(ended);
    waiting.clear();
    child.kill("SIGKILL");
  };
  const settle = (): void => {
    if (waiting.size > 0) return;
    child.channel?.unref();
    if (retiring) child.kill("SIGKILL");
  };
  const gone = whenGone(child, end);
  child.on("message", (message: FromChild) => {
    if ("memory" in message) return end(outOfMemory());
    const w = waiting.get(message.id);
    waiting.delete(message.id);
    if ("error" in message) w?.reject(errorOf(message.error));
    else w?.resolve(message.value);
    settle();
  });
  const send = (message: ToChild): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended !== null) return reject(ended);
      waiting.set(message.id, { resolve, reject });
      child.channel?.ref();
      child.send(message, (e) => e && end(e));
    });
  const ready = send({ id: 0, start }).then((told) => {
    if (told !== version) throw new Error(`DuckDB ${version} was expected, found ${String(told)}`);
  });
  ready.catch(() => {}); // told to whoever calls
  return {
    pid: child.pid,
    alive: () => ended === null,
    call: (limit_ms, op, ...args) => {
      const answer = ready.then(() => send({ id: ++last, op, args }));
      const limited = limit_ms === null ? answer : within(answer, limit_ms + GRACE_MS, end);
      return limited as ReturnType<Calls[typeof op]>; // the child runs the same Calls
    },
    retire: async () => {
      child.ref();
      retiring = true;
      settle();
      await gone;
    },
    kill: async () => {
      child.ref();
      end(closed());
      await gone;
    },
  };
}

function spawned(): ChildProcess {
  const typescript = import.meta.url.endsWith(".ts");
  const entry = new URL(typescript ? "./duckdb-child.ts" : "./duckdb-child.js", import.meta.url);
  const loads = process.execArgv.some((a) => a.includes("tsx"));
  const child = fork(fileURLToPath(entry), [], {
    env: {}, // whatever runs in there finds no credentials
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
    ...(typescript && !loads ? { execArgv: ["--import", "tsx"] } : {}),
  });
  child.unref(); // an idle child does not keep its parent from ending
  return child;
}

function whenGone(child: ChildProcess, end: (e: Error) => void): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", (_code, signal) => {
      end(signal === "SIGKILL" ? outOfMemory() : crashed(signal)); // SIGKILL of the system's own
      resolve();
    });
    child.once("error", (e) => {
      end(e);
      resolve();
    });
  });
}

async function within<T>(answer: Promise<T>, ms: number, end: (e: Error) => void): Promise<T> {
  const timer = setTimeout(() => end(timedOut()), ms);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

function crashed(signal: NodeJS.Signals | null): TieoutError {
  return new TieoutError("SQL", {
    subject: "sql",
    cause: `the engine's process ended (${signal ?? "exit"}) while it worked`,
    remedy: "write the SELECT another way",
  });
}

function closed(): TieoutError {
  return new TieoutError("INTERRUPTED", {
    subject: "sql",
    cause: "the engine was closed while it worked",
    remedy: "run again",
  });
}

function outOfMemory(): TieoutError {
  return new TieoutError("MEMORY", {
    subject: "sql",
    cause: "the engine's process held more memory than it may",
    remedy: "select fewer rows or columns, or raise the engine's memory limit",
  });
}

function timedOut(): TieoutError {
  return new TieoutError("TIMEOUT", {
    subject: "sql",
    cause: "the SQL ran longer than its time limit and could not be interrupted",
    remedy: "filter earlier, join on keys, or split the step in two",
  });
}
