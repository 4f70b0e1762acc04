import { dirname } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Disk, realDisk } from "../../src/folders/disk.js";
import { runKeys } from "../../src/model/layout.js";
import { assertDone, type Ground, layGround } from "./cells.js";
import { dice, replay } from "./choice.js";
import { DISK_TROUBLES, type DiskTrouble, newDiskWorld, runDiskCell } from "./disk.js";
import { startProcess, walkTold } from "./process.js";
import { EXPORTS } from "./scenes.js";

let ground: Ground;
beforeAll(async () => {
  ground = await layGround();
});

/** About as many calls as a walk makes on the disk; a number past the last one is a clean run. */
const CALLS = 1450;

describe("at any call on the disk, nothing false is left or told, and the id can be run again:", () => {
  for (const trouble of Object.keys(DISK_TROUBLES) as DiskTrouble[])
    test(`${trouble}, at six calls that the seed picks`, async () => {
      for (let n = 0; n < 6; n++) {
        const cell = { trouble, at: 1 + dice(CALLS), resume: n % 2 ? "once" : "twice" } as const;
        const { failed, breaks } = await runDiskCell(cell, ground);
        expect(breaks, `${failed} ${replay("test/faults/disk.test.ts", cell)}`).toEqual([]);
      }
    });
});

/** What matters for a power cut, in order: bytes and folders that were synced, names that were given. */
type Step =
  | readonly ["sync", string]
  | readonly ["write", string]
  | readonly ["name", string, string];

function traced(disk: Disk, steps: Step[]): Disk {
  return {
    ...disk,
    open: async (path, how) => {
      const file = await disk.open(path, how);
      return {
        ...file,
        write: (bytes, at) => {
          steps.push(["write", path]);
          return file.write(bytes, at);
        },
        sync: async () => {
          await file.sync();
          steps.push(["sync", path]);
        },
      };
    },
    copyFile: async (from, to) => {
      steps.push(["write", to]);
      await disk.copyFile(from, to);
    },
    link: async (from, to) => {
      await disk.link(from, to);
      steps.push(["name", from, to]);
    },
  };
}

test("bytes are synced before they get their name, and names before the next document counts on them", async () => {
  const world = newDiskWorld(ground);
  const steps: Step[] = [];
  const ports = world.ports(EXPORTS.second, traced(realDisk, steps));
  const { held } = ground;
  const process = startProcess(world, {
    exports: EXPORTS.second,
    ...ground.tools(world.bytes),
    ports,
  });
  assertDone(await walkTold(held, process));
  world.end();
  const dirty = new Set<string>();
  const unsynced = new Map<string, string>();
  const commit = runKeys(held.run_id).committed;
  let last = "";
  for (const [what, path, name] of steps) {
    if (what === "write") dirty.add(path);
    if (what === "sync") {
      dirty.delete(path);
      for (const [file, folder] of unsynced) if (folder === path) unsynced.delete(file);
    }
    if (what !== "name") continue;
    expect(dirty, `bytes under ${name} before it was named`).not.toContain(path);
    if (/(manifest\.json|receipts\.json|committed\.json)$/.test(name) && !name.includes(".tieout"))
      expect([...unsynced.keys()], `names before ${name}`).toEqual([]);
    // A heartbeat goes on beside the walk, and no document names it.
    if (!name.includes("/claims/")) unsynced.set(name, dirname(name));
    last = name.endsWith(commit) ? name : last;
  }
  expect(last, "the commit was among the names").not.toBe("");
  expect([...unsynced.keys()], "names at the end").toEqual([]);
});
