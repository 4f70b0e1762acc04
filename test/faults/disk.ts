import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultyDisk } from "../../src/folders/faulty.js";
import { isTieout } from "../../src/model/errors.js";
import { type FaultPlan, faultsOf, Killed } from "../../src/model/fault.js";
import { unsyncedDisk } from "../folders/unsynced.js";
import { castOf, type Fate, type Ground, type Resume } from "./cells.js";
import { EXPORTS } from "./scenes.js";
import { diskWorld } from "./world.js";

/** The ways in which a call on the disk fails, below the run's folder and the store alike. */
export const DISK_TROUBLES = {
  EIO: { mode: "before", times: "once", code: "EIO" },
  "EIO, done": { mode: "after", times: "once", code: "EIO" },
  "EIO for good": { mode: "before", times: "onward", code: "EIO" },
  ENOSPC: { mode: "before", times: "onward", code: "ENOSPC" },
  "ENOSPC amid a write": { mode: "torn", times: "once", code: "ENOSPC" },
  EDQUOT: { mode: "before", times: "once", code: "EDQUOT" },
  EMFILE: { mode: "before", times: "once", code: "EMFILE" },
  "a short write that says all": { mode: "lie", times: "once", code: "EIO" },
  kill: { mode: "kill", times: "onward", code: "EIO" },
} as const satisfies Readonly<
  Record<string, Omit<FaultPlan, "at"> & { code: Parameters<typeof faultyDisk>[2] }>
>;
export type DiskTrouble = keyof typeof DISK_TROUBLES;

export interface DiskCell {
  readonly trouble: DiskTrouble;
  readonly at: number;
  readonly resume: Exclude<Resume, "at once">;
}

/** A world in a new temporary folder, with what the ground keeps in its store. */
export function newDiskWorld(ground?: Ground) {
  return diskWorld(mkdtempSync(join(tmpdir(), "tieout-faults-")), ground?.kept);
}

/** Fails one call on the disk amid a walk, takes the run up again, and states all that is not so. */
export async function runDiskCell(cell: DiskCell, ground: Ground): Promise<Fate> {
  const world = newDiskWorld(ground);
  try {
    const { code, ...plan } = DISK_TROUBLES[cell.trouble];
    const faults = faultsOf({ ...plan, at: cell.at });
    const cast = castOf(world, ground, {});
    const ports = world.ports(EXPORTS.second, faultyDisk(unsyncedDisk, faults, code));
    const told = await cast.told(cast.process({ ports }));
    const { failed } = faults;
    if (failed === null) return { failed, breaks: cast.breaks() };
    const abrupt =
      "error" in told && (told.error instanceof Killed || isTieout(told.error, "UNKNOWN"));
    await cast.finish(!abrupt && plan.times === "once" && plan.mode !== "lie");
    if (cell.resume === "twice") await cast.finish(true);
    return { failed, breaks: cast.breaks() };
  } finally {
    world.end();
  }
}
