import { isTieout } from "../../src/model/errors.js";
import { faulty } from "../../src/model/fault.js";
import { runKeys } from "../../src/model/layout.js";
import { Commit } from "../../src/model/records.js";
import type { Store } from "../../src/stores/store.js";
import { storeUnknown } from "../../src/stores/trouble.js";
import { castOf, describe, type Fate, type Ground } from "./cells.js";
import { TTL_MS } from "./process.js";
import { attemptsOf } from "./stale.js";
import { memoryWorld, type World } from "./world.js";

/** A create that its process is told nothing of, and that takes its effect later. */
export interface Late {
  /** Which create of the walk, from 1. */
  readonly at: number;
  /** After how many further calls of the store, of whichever process; null: after the next process. */
  readonly lands: number | null;
  /** Whether the next process comes when the claim of the first has run out, or at once. */
  readonly waits: boolean;
  /** Whether the process is asked to stop while it waits for the answer. */
  readonly stopped: boolean;
}

/**
 * While a request is under way, its process ends or goes on, and the next one comes. Whoever was told
 * of a failure for good has not committed the run, whatever lands later.
 */
export async function runLate(late: Late, ground: Ground): Promise<Fate> {
  const stop = new AbortController();
  const slow = slowWorld(await memoryWorld(ground.kept), late, () => {
    if (late.stopped) stop.abort();
  });
  const cast = castOf(slow.world, ground, { rivals: true });
  const first = await cast.told(cast.process({ owner: "first", signal: stop.signal }));
  const failed = slow.lost();
  if (late.waits) slow.world.clock.now += TTL_MS + 1000;
  await cast.told(cast.process());
  await slow.land();
  const look = await cast.tell();
  await cast.finish(false);
  const commit = look.store.get(runKeys(ground.held.run_id).committed);
  const by = commit === undefined ? 0 : Commit.parse(JSON.parse(`${Buffer.from(commit)}`)).attempt;
  const forGood = "error" in first && isTieout(first.error) && first.error.code !== "UNKNOWN";
  if (forGood && attemptsOf("first", look).includes(by))
    cast.add(`${describe(first.error)}: told of the attempt that is committed`);
  return { failed, breaks: cast.breaks() };
}

/** A world whose store answers one create with UNKNOWN and carries it out some calls later. */
function slowWorld(world: World, { at, lands }: Late, losing: () => void) {
  let creates = 0;
  let left = lands ?? Number.POSITIVE_INFINITY;
  let lost: string | null = null;
  let request: (() => Promise<unknown>) | null = null;
  const land = async (): Promise<void> => {
    const arriving = request;
    request = null;
    await arriving?.();
  };
  const arrive = async (): Promise<void> => {
    if (request !== null && left-- <= 0) await land();
  };
  const slow = (store: Store): Store => ({
    ...faulty(
      store,
      {
        calls: [],
        failed: null,
        through: async (_, { effect }) => {
          await arrive();
          return effect();
        },
      },
      { error: (call) => new Error(call) },
    ),
    create: async (key, body, tags) => {
      await arrive();
      creates += 1;
      if (creates !== at) return store.create(key, body, tags);
      const bytes: Uint8Array[] = [];
      for await (const part of body.open()) bytes.push(part);
      const sent = async function* () {
        yield* bytes;
      };
      request = () => store.create(key, { ...body, open: sent }, tags);
      lost = key;
      losing();
      throw storeUnknown(`create ${key}`, "a planned fault: the request is still under way");
    },
  });
  const ports: World["ports"] = (exports) => {
    const given = world.ports(exports);
    return { ...given, store: slow(given.store) };
  };
  return { world: { ...world, ports }, lost: () => lost, land };
}
