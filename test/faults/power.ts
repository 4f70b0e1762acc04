import { faultyDisk } from "../../src/folders/faulty.js";
import { faultsOf } from "../../src/model/fault.js";
import type { RunId } from "../../src/model/ids.js";
import { runKeys } from "../../src/model/layout.js";
import { Commit } from "../../src/model/records.js";
import { lossyDisk } from "../folders/lossy.js";
import { castOf, type Fate, type Ground } from "./cells.js";
import { newDiskWorld } from "./disk.js";
import { walkTold } from "./process.js";
import { EXPORTS } from "./scenes.js";
import { diceOf } from "./turns.js";
import type { World } from "./world.js";

/**
 * - at: the power goes at a call, and with it the process
 * - done: the process dies at a call, another one finishes the run, and then the power goes
 */
export interface PowerCell {
  readonly at: number;
  readonly when: "at" | "done";
  readonly seed: number;
}

/** Nobody was told of what a dead attempt left: it may go with the power, what a commit names may not. */
async function namedBy(run: RunId, world: World): Promise<(found: string) => boolean> {
  const { committed, attempt } = runKeys(run);
  const { store } = await world.look();
  const commit = Commit.parse(JSON.parse(Buffer.from(store.get(committed) ?? "null").toString()));
  const whole = attempt(commit.attempt, "");
  return (found) => {
    const gone = /^I005 (\S+) is gone$/.exec(found)?.[1];
    return gone === undefined || gone === committed || gone.startsWith(whole);
  };
}

/** Cuts the power once amid or after a walk, takes the run up again, and states all that is not so. */
export async function runPowerCell(cell: PowerCell, ground: Ground): Promise<Fate> {
  const world = newDiskWorld(ground);
  const dice = diceOf(cell.seed);
  try {
    const faults = faultsOf({ mode: "kill", times: "onward", at: cell.at });
    const lossy = lossyDisk();
    const cast = castOf(world, ground, {});
    const ports = world.ports(EXPORTS.second, faultyDisk(lossy.disk, faults, "EIO"));
    const said = await walkTold(ground.held, cast.process({ ports }));
    if (cell.when === "done") {
      const again = () => cast.process({ ports: world.ports(EXPORTS.second, lossy.disk) });
      await cast.finish(false, again);
    }
    lossy.cut(dice);
    if (cell.when === "at") await cast.tell(said);
    await cast.finish(false);
    await cast.finish(true);
    const counted = await namedBy(ground.held.run_id, world);
    return { failed: faults.failed, breaks: cast.breaks().filter(counted) };
  } finally {
    world.end();
  }
}
