import { beforeAll, describe, expect, test } from "vitest";
import { type Ground, layGround } from "./cells.js";
import { dice, eachCall, replay } from "./choice.js";
import { runSleep } from "./stale.js";

let ground: Ground;
beforeAll(async () => {
  ground = await layGround();
});

const FILE = "test/faults/stale.test.ts";

describe("a process that sleeps past its claim before any call", () => {
  test("changes nothing when it wakes after a newer one is done and torn down", async () => {
    const calls = await eachCall(
      (sleeps) => runSleep({ sleeps, wakes: null }, ground),
      (sleeps) => replay(FILE, { sleeps, wakes: null }),
    );
    expect(calls).toBeGreaterThanOrEqual(ground.calls.length);
  });

  test("changes nothing outside its own attempt when it wakes amidst a newer one", async () => {
    const broken: string[] = [];
    for (let n = 0; n < 150; n++) {
      const sleep = { sleeps: 1 + dice(ground.calls.length), wakes: 1 + dice(ground.calls.length) };
      const { breaks } = await runSleep(sleep, ground);
      if (breaks.length > 0) broken.push(`${replay(FILE, sleep)}\n  ${breaks.join("\n  ")}`);
    }
    expect(broken, broken.slice(0, 5).join("\n")).toEqual([]);
  });
});
