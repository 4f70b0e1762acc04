import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { faultyDisk } from "../../src/folders/faulty.js";
import { textBody } from "../../src/model/canonical.js";
import { faultsOf } from "../../src/model/fault.js";
import type { Key } from "../../src/model/ids.js";
import { directoryStore } from "../../src/stores/dir.js";
import { lossyDisk } from "../folders/lossy.js";
import { type Ground, layGround } from "./cells.js";
import { dice, replay } from "./choice.js";
import { runPowerCell } from "./power.js";

let ground: Ground;
beforeAll(async () => {
  ground = await layGround();
});

/** About as many calls as a walk makes on the disk; past the last one the whole walk was done. */
const CALLS = 1450;

describe("a power cut that drops or garbles what was not synced leaves nothing false, and the id can be run again:", () => {
  for (const when of ["at", "done"] as const)
    test(`${when}, at six calls that the seed picks and after the last`, async () => {
      for (let n = 0; n < 7; n++) {
        const at = n === 6 ? CALLS * 10 : 1 + dice(CALLS);
        const cell = { at, when, seed: dice(1_000_000) };
        const { failed, breaks } = await runPowerCell(cell, ground);
        expect(breaks, `${failed} ${replay("test/faults/power.test.ts", cell)}`).toEqual([]);
      }
    });
});

test("a folder that a dead process made and did not sync is synced by whoever uses it next", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tieout-power-"));
  const key = "job/run/claims/a1/000000.json" as Key;
  const { calls } = await createIn(dir, key, 0);
  for (let at = 1; at <= calls; at++) {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir);
    const { lossy } = await createIn(dir, key, at);
    await directoryStore(dir, { disk: lossy.disk }).create(key, textBody("kept"));
    lossy.cut(() => 0);
    const stored = await directoryStore(dir).head(key);
    expect(stored?.sha256, `killed at call ${at} of ${calls}`).toBe(textBody("kept").sha256);
  }
  rmSync(dir, { recursive: true, force: true });
});

/** A create whose process is killed at a call; 0: it is not. */
async function createIn(dir: string, key: Key, at: number) {
  const lossy = lossyDisk();
  const faults = faultsOf({ mode: "kill", times: "onward", at });
  const store = directoryStore(dir, { disk: faultyDisk(lossy.disk, faults, "EIO") });
  await store.create(key, textBody("kept")).catch(() => undefined);
  return { lossy, calls: faults.calls.length };
}
