import type { Effects, Shares } from "../../src/effects.js";
import type { Engine } from "../../src/engines/engine.js";
import { faultyFolder } from "../../src/folders/faulty.js";
import { TieoutError } from "../../src/model/errors.js";
import { type FaultPlan, type Faults, faultsOf, faulty, NO_FAULT } from "../../src/model/fault.js";
import type { Held } from "../../src/model/run.js";
import type { Reader } from "../../src/readers/reader.js";
import { faultySource } from "../../src/sources/faulty.js";
import { hold } from "../../src/stages/stage.js";
import { type Outcome, walk } from "../../src/stages/walk.js";
import { faultyStore } from "../../src/stores/faulty.js";
import type { Store } from "../../src/stores/store.js";
import type { Writer } from "../../src/writers/writer.js";
import { type Bytes, plainReader, plainWriter } from "./plain.js";
import type { Exports } from "./scenes.js";
import type { Ports, World } from "./world.js";

export const TTL_MS = 60_000;

/** What fails: the Nth call of every port together, of one alone, or the Nth create. */
export interface Trouble {
  readonly plan: FaultPlan;
  readonly hits: "all" | "source" | "store" | "creates";
}

export interface Life {
  readonly exports: Exports;
  readonly engine: Engine;
  readonly owner?: string;
  readonly trouble?: Trouble;
  /** Called before each call of a port, with its number from 1. */
  readonly before?: (n: number, call: string) => Promise<void>;
  readonly signal?: AbortSignal;
  readonly ports?: Ports;
  readonly reader?: Reader;
  readonly writer?: Writer;
  readonly shares?: Shares;
}

/** A process in a world. Each call of a port takes a second, and heartbeats come between calls. */
export interface Process {
  readonly fx: Effects;
  readonly faults: Faults;
}

let lives = 0;

export function startProcess(world: World, life: Life): Process {
  const faults = faultsOf(life.trouble?.plan ?? NO_FAULT);
  const none = faultsOf(NO_FAULT);
  const hits = life.trouble?.hits ?? "all";
  const heart = heartbeats(world);
  let n = 0;
  const paced = (inner: Faults): Faults => ({
    calls: inner.calls,
    failed: inner.failed,
    through: async (call, doings) => {
      await life.before?.(++n, call);
      world.clock.now += 1000;
      heart.tick();
      return inner.through(call, doings);
    },
  });
  const of = (port: Trouble["hits"]): Faults =>
    paced(hits === "all" || hits === port ? faults : none);
  const elsewhere = of("all");
  const ports = life.ports ?? world.ports(life.exports);
  const fx: Effects = {
    root: world.root,
    inputs: faultySource(ports.inputs, of("source")),
    folder: faultyFolder(ports.folder, elsewhere, ports.tear),
    engine: faultyEngine(life.engine, world.bytes, elsewhere),
    reader: faulty(life.reader ?? plainReader(world.bytes), elsewhere, { error: diskError }),
    writer: faulty(life.writer ?? plainWriter(world.bytes), elsewhere, { error: diskError }),
    store:
      hits === "creates"
        ? refusing(ports.store, paced(faults), paced(none))
        : faultyStore(ports.store, of("store")),
    shares: life.shares ?? {
      names: [],
      open: () => Promise.reject(new Error("none is configured")),
    },
    clock: { now: () => world.clock.now, every: heart.every },
    log: { info: () => undefined },
    progress: { stage: () => undefined },
    owner: life.owner ?? `process-${++lives}`,
    ttl_ms: TTL_MS,
    versions: { tieout: "0.0.0" },
    agent: null,
    signal: life.signal ?? new AbortController().signal,
  };
  return { fx, faults };
}

/** What a walk told: its outcome, or what it threw. */
export type Told = { readonly outcome: Outcome } | { readonly error: unknown };

export async function walkTold(held: Held, { fx }: Process): Promise<Told> {
  try {
    return { outcome: await walk(hold(held), fx) };
  } catch (error) {
    return { error };
  }
}

function heartbeats(world: World) {
  let timer: { ms: number; due: number; beat: () => Promise<void> } | null = null;
  let beating = false;
  return {
    every: (ms: number, beat: () => Promise<void>) => {
      timer = { ms, due: world.clock.now + ms, beat };
      return () => {
        timer = null;
      };
    },
    tick: (): void => {
      if (timer === null || beating || world.clock.now < timer.due) return;
      timer.due = world.clock.now + timer.ms;
      beating = true;
      void timer
        .beat()
        .catch(() => undefined)
        .finally(() => {
          beating = false;
        });
    },
  };
}

function refusing(store: Store, creates: Faults, rest: Faults): Store {
  const { create } = faultyStore(store, creates, "STORE");
  return { ...faultyStore(store, rest), create };
}

/** Torn: half of the file is there, and the call throws. */
function faultyEngine(engine: Engine, bytes: Bytes, faults: Faults): Engine {
  const tear = async (path: string): Promise<void> => {
    const whole = await bytes.read(path);
    await bytes.write(path, whole.subarray(0, whole.byteLength >> 1));
  };
  return faulty(engine, faults, {
    error: diskError,
    passes: ["close"],
    streams: ["stream"],
    torn: {
      evaluate: async (e) => {
        const made = await engine.evaluate(e);
        await tear(e.to);
        return made;
      },
      render: async (q) => {
        const made = await engine.render(q);
        await tear(q.to);
        return made;
      },
    },
  });
}

function diskError(call: string): TieoutError {
  return new TieoutError("DISK_FULL", {
    subject: call,
    cause: "a planned fault: the disk has no room left",
    remedy: "run the id again",
  });
}
