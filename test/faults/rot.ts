import { isTieout } from "../../src/model/errors.js";
import { runKeys } from "../../src/model/layout.js";
import { recheck } from "../../src/queries/recheck.js";
import { castOf, describe, type Fate, type Ground, sameEntries } from "./cells.js";
import { artefactsOf, keptBreaks } from "./checker.js";
import { TTL_MS } from "./process.js";
import type { World } from "./world.js";

/** One thing that is damaged or lost while a run goes on, or after it. */
export interface Rot {
  /** The number of the call before which it happens; past the last: when the run is done. */
  readonly at: number;
  readonly where: "store" | "disk";
  readonly name: string;
  readonly how: "rot" | "lose";
}

/** The calls after which a stage is over, the calls of the commit, and the one before the teardown's proof. */
export function turningPoints({ calls, held }: Ground): number[] {
  const keys = runKeys(held.run_id);
  const ends = calls.flatMap((call, i) =>
    call.endsWith("a1/journal.jsonl") && call.startsWith("append") ? [i + 2] : [],
  );
  const commit = calls.indexOf(`create ${keys.committed}`) + 1;
  const manifest = calls.indexOf(`create ${keys.manifest(1)}`) + 1;
  const proof = calls.findLastIndex((c, i) => c.startsWith("list /") && i < calls.length - 1) + 1;
  return [...new Set([...ends, manifest, commit, commit + 1, proof, calls.length + 1])];
}

/** What there is to damage at each turning point: sealed files and objects that a run relies on. */
export async function rotsOf(ground: Ground, newWorld: () => Promise<World>): Promise<Rot[]> {
  const world = await newWorld();
  const rots: Rot[] = [];
  const points = turningPoints(ground);
  const note = async (at: number): Promise<void> => {
    if (!points.includes(at)) return;
    const { disk, store } = await world.look();
    const files = [...disk].flatMap(([name, b]) => (b !== null && isSealed(name) ? [name] : []));
    const objects = [...store.keys()].filter((key) => !/\/claims\//.test(key));
    for (const how of ["rot", "lose"] as const)
      rots.push(
        ...files.map((name): Rot => ({ at, where: "disk", name, how })),
        ...objects.map((name): Rot => ({ at, where: "store", name, how })),
      );
  };
  const cast = castOf(world, ground, {});
  const clean = cast.process({ before: (n) => note(n) });
  await cast.told(clean);
  await note(ground.calls.length + 1);
  world.end();
  return rots;
}

/** Drafts and typed files are the engine's: nothing says what bytes they should have. */
function isSealed(name: string): boolean {
  return !/\/a\d+\/(work|temp)\/|\/in\/.*\.parquet$/.test(name);
}

/**
 * Damages one thing amid a run. Done is told only of what is whole in the store; what a store damages
 * in silence, `recheck` names; and what is damaged before the commit is made anew.
 */
export async function runRot(
  rot: Rot,
  ground: Ground,
  world: World,
  silent: boolean,
): Promise<Fate> {
  const { held } = ground;
  const key = runKeys(held.run_id).committed;
  const cast = castOf(world, ground, { damaged: true, silent });
  // Of a night before that is gone no store can tell that it was; one that is damaged is not used.
  const ofBefore = ground.kept.has(rot.name);
  let failed: string | null = null;
  const strike = (n: number): void => {
    if (n < rot.at || failed !== null) return;
    failed = rot.name;
    world[rot.how](rot.where, rot.name);
  };
  const told = await cast.told(cast.process({ before: async (n) => strike(n) }));
  strike(Number.POSITIVE_INFINITY);
  world.clock.now += TTL_MS + 1000;
  const again = "outcome" in told ? told : await cast.told(cast.process());
  const look = await world.look();
  const wrong = look.store.has(key) ? keptBreaks(look, key) : [];
  if ("error" in again && !(isTieout(again.error, "DAMAGED") && rot.where === "store"))
    cast.add(`not done when run again: ${describe(again.error)}`);
  const { artefacts } = ground;
  if (wrong.length === 0) {
    const now = artefactsOf(look, held.run_id);
    if (now !== null && !ofBefore && !sameEntries(now, artefacts))
      cast.add("I010 the artefacts are not those of a clean run");
  } else {
    const { sound, breaches } = await recheck(held.run_id, cast.process().fx);
    if (sound || !breaches.some((b) => b.subject === rot.name))
      cast.add(`recheck does not name ${rot.name}: ${breaches.map((b) => b.subject).join()}`);
  }
  return { failed, breaks: cast.breaks() };
}
