import { isTieout } from "../../src/model/errors.js";
import type { LoadedJob } from "../../src/model/job.js";
import type { Outcome } from "../../src/stages/walk.js";
import { recordedTools } from "../faults/cells.js";
import { type Life, startProcess, TTL_MS, walkTold } from "../faults/process.js";
import { EXPORTS, type Exports, heldRun, loadCards, type Night } from "../faults/scenes.js";
import { memoryWorld, type World } from "../faults/world.js";

const tools = recordedTools();

/** A world in memory whose engine answers from the record, and walks over it. */
export interface Lab {
  readonly world: World;
  readonly loaded: LoadedJob;
  readonly start: (
    exports: Night | Exports,
    life?: Partial<Life>,
  ) => ReturnType<typeof startProcess>;
  /** Walks to the end. @throws what the walk throws */
  readonly run: (as_of: string, how: Walk) => Promise<Outcome>;
  /** Walks to an error. @returns its code */
  readonly fails: (as_of: string, how: Walk) => Promise<string>;
  /** The text of an object of the store, or of a file below the root. */
  readonly stored: (key: string) => Promise<string>;
  readonly onDisk: (name: string) => Promise<string | null>;
  readonly expire: () => void;
}
export interface Walk extends Partial<Life> {
  readonly night: Night | Exports;
  readonly revision?: number;
  readonly loaded?: LoadedJob;
}

export async function openLab(): Promise<Lab> {
  const world = await memoryWorld();
  const loaded = await loadCards();
  const start: Lab["start"] = (exports, life = {}) =>
    startProcess(world, {
      ...tools(world.bytes),
      ...life,
      exports: typeof exports === "string" ? EXPORTS[exports] : exports,
    });
  const walkOne = (as_of: string, { night, revision, loaded: other, ...life }: Walk) =>
    walkTold(heldRun(other ?? loaded, as_of, revision), start(night, life));
  return {
    world,
    loaded,
    start,
    run: async (as_of, how) => {
      const told = await walkOne(as_of, how);
      if ("error" in told) throw told.error;
      return told.outcome;
    },
    fails: async (as_of, how) => {
      const told = await walkOne(as_of, how);
      if ("outcome" in told) throw new Error("the walk was to fail");
      if (!isTieout(told.error)) throw told.error;
      return told.error.code;
    },
    stored: async (key) =>
      Buffer.from((await world.look()).store.get(key) ?? missing(key)).toString(),
    onDisk: async (name) => {
      const bytes = (await world.look()).disk.get(name) ?? null;
      return bytes === null ? null : Buffer.from(bytes).toString();
    },
    expire: () => {
      world.clock.now += TTL_MS + 1000;
    },
  };
}

function missing(key: string): never {
  throw new Error(`the store has no ${key}`);
}
