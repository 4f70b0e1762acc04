import { expect, test } from "vitest";
import { layGround } from "./cells.js";
import { dice, inPart, replay } from "./choice.js";
import { runPowerCell } from "./power.js";

test("the power goes at every call on the disk, and after the run that was taken up there", async () => {
  const ground = await layGround();
  const broken: string[] = [];
  for (let at = 1, failed: string | null = ""; failed !== null; at++) {
    if (!inPart(at)) continue;
    for (const when of ["at", "done"] as const) {
      const cell = { at, when, seed: dice(1_000_000) };
      const fate = await runPowerCell(cell, ground);
      failed = fate.failed;
      if (fate.breaks.length === 0) continue;
      broken.push(`${replay("test/faults/power.soak.ts", cell)}\n ${fate.breaks.join("\n ")}`);
    }
  }
  expect(broken, broken.slice(0, 5).join("\n")).toEqual([]);
});
