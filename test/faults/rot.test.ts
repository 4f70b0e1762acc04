import { beforeAll, describe, expect, test } from "vitest";
import { type Ground, layGround } from "./cells.js";
import { dice, replay } from "./choice.js";
import { newDiskWorld } from "./disk.js";
import { type Rot, rotsOf, runRot } from "./rot.js";
import { memoryWorld, type World } from "./world.js";

let ground: Ground;
beforeAll(async () => {
  ground = await layGround();
});

/** @param share one of how many cells is run */
async function loop(newWorld: () => Promise<World>, share: number, isSilent: (r: Rot) => boolean) {
  const broken: string[] = [];
  const all = await rotsOf(ground, newWorld);
  expect(all.length).toBeGreaterThan(500);
  const first = dice(share);
  for (const rot of all.filter((_, i) => i % share === first)) {
    const world = await newWorld();
    const { breaks } = await runRot(rot, ground, world, isSilent(rot)).finally(world.end);
    if (breaks.length > 0)
      broken.push(`${replay("test/faults/rot.test.ts", rot)}\n  ${breaks.join("\n  ")}`);
  }
  expect(broken, broken.slice(0, 5).join("\n")).toEqual([]);
}

describe("of whatever is damaged or lost after any stage, done is told only if the store is whole:", () => {
  test("in a store that damages in silence, recheck names it", () =>
    loop(
      () => memoryWorld(ground.kept),
      3,
      (rot) => rot.how === "rot" && rot.where === "store",
    ));

  test("in a store that hashes what it has, the run's end names it too", () =>
    loop(
      async () => newDiskWorld(ground),
      25,
      () => false,
    ));
});
