import { isTieout } from "../../src/model/errors.js";
import { runKeys } from "../../src/model/layout.js";
import { castOf, type Fate, type Ground } from "./cells.js";
import { type Told, TTL_MS } from "./process.js";
import { changesOf, isStale } from "./stale.js";
import { diceOf, interleaved, type Player } from "./turns.js";
import { type Look, memoryWorld } from "./world.js";

/** Runners of one run id at once, of which the one that comes that far is paused past its lease. */
export interface Contest {
  readonly runners: number;
  /** Before which of its calls a runner is paused, from 1. */
  readonly sleeps: number | "commit";
  /** After how many calls of the others it wakes; at the latest when they have all ended. */
  readonly wakes: number;
  readonly seed: number;
}

/**
 * Whoever is refused waits until one is paused, as a scheduler would start it again, and so all but
 * the paused one contend for the claim that ran out. Every step is attributed to who made it.
 */
export async function runContest(contest: Contest, ground: Ground): Promise<Fate> {
  const world = await memoryWorld(ground.kept);
  const { committed } = runKeys(ground.held.run_id);
  const cast = castOf(world, ground, { rivals: true, passing: true });
  const pause: Pause = { owner: null, call: "", others: 0, awake: false, stale: false };
  let last: { readonly owner: string; readonly look: Look } | null = null;
  let walking = 0;
  let playing = contest.runners;
  const isDue = (n: number, call: string): boolean =>
    contest.sleeps === "commit" ? call === `create ${committed}` : n === contest.sleeps;
  const isLate = (): boolean => pause.others >= contest.wakes || playing === 1;

  const attribute = async (owner: string): Promise<void> => {
    if (!pause.stale) return;
    const look = await world.look();
    if (last?.owner === pause.owner) cast.add(...changesOf(last.owner, last.look, look, ground));
    last = { owner, look };
  };
  const sleep = async (owner: string, call: string, turn: () => Promise<void>): Promise<void> => {
    Object.assign(pause, { owner, call });
    world.clock.now += TTL_MS + 1000;
    while (!isLate()) await turn();
    pause.awake = true;
    pause.stale = isStale(owner, await world.look(), [call], ground);
  };
  const isCommittedAndThere = ({ store, disk }: Look): boolean =>
    store.has(committed) && disk.has(ground.held.run_id);
  const runner =
    (owner: string): Player<Told> =>
    async (turn) => {
      let was_committed = false;
      const before = async (n: number, call: string): Promise<void> => {
        await turn();
        if (pause.owner === null && isDue(n, call)) await sleep(owner, call, turn);
        while (pause.owner === owner && !pause.awake) await turn();
        if (pause.owner !== null && pause.owner !== owner) pause.others += 1;
        await attribute(owner);
        world.clock.now -= 1000 - Math.floor(1000 / contest.runners); // calls go on side by side
        if (call === `head ${committed}`) was_committed = (await world.look()).store.has(committed);
      };
      walking += 1;
      let said = await cast.told(cast.process({ owner, before }));
      walking -= 1;
      const refused = "error" in said && isTieout(said.error, "CLAIMED_ELSEWHERE");
      while (refused && pause.owner === null && walking > 0) await turn();
      if (refused) said = await cast.told(cast.process({ owner, before }));
      if ("error" in said && was_committed && isTieout(said.error))
        cast.add(`told ${said.error.code} after the store had said that it is committed`);
      await attribute(owner);
      playing -= 1;
      return said;
    };
  const owners = Array.from({ length: contest.runners }, (_, i) => `runner-${i + 1}`);
  await interleaved(owners.map(runner), diceOf(contest.seed));
  if (isCommittedAndThere(await world.look())) cast.add("I013 it is done and its folder is there");
  await cast.finish(false);
  return { failed: pause.owner === null ? null : pause.call, breaks: cast.breaks() };
}

interface Pause {
  owner: string | null;
  call: string;
  /** Calls that the others made meanwhile. */
  others: number;
  awake: boolean;
  /** It woke after another had claimed the run. */
  stale: boolean;
}
