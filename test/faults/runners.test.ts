import { beforeAll, describe, expect, test } from "vitest";
import { type Ground, layGround } from "./cells.js";
import { dice, replay } from "./choice.js";
import { type Contest, runContest } from "./runners.js";

let ground: Ground;
beforeAll(async () => {
  ground = await layGround();
});

async function contests(count: number, next: () => Contest): Promise<void> {
  const broken: string[] = [];
  let paused = 0;
  for (let n = 0; n < count; n++) {
    const contest = next();
    const { failed, breaks } = await runContest(contest, ground);
    if (failed !== null) paused += 1;
    const again = replay("test/faults/runners.test.ts", contest);
    if (breaks.length > 0) broken.push(`${failed} ${again}\n  ${breaks.join("\n  ")}`);
  }
  expect(broken, broken.slice(0, 5).join("\n")).toEqual([]);
  // Not every order of turns takes a runner as far as the call that it was to sleep at.
  expect(paused, "contests in which a runner was paused").toBeGreaterThan(count / 3);
}

/** From its claim on: who sleeps before it has no lease to sleep past, and claims when it wakes. */
const anyOf = (calls: readonly string[]): number => {
  const claimed = calls.findIndex((call) => call.startsWith("create") && call.includes("/claims/"));
  return claimed + 2 + dice(calls.length - claimed - 1);
};

describe.each([2, 3, 8])("of %i runners of one id, one paused past its lease,", (runners) => {
  test("one commits, none harms another, each is told the truth, at any call", () =>
    contests(12, () => ({
      runners,
      sleeps: anyOf(ground.calls),
      wakes: dice(2 * ground.calls.length),
      seed: dice(1 << 30),
    })));

  test("so it is when it was paused right before its commit", () =>
    contests(5, () => ({
      runners,
      sleeps: "commit",
      wakes: dice(2 * ground.calls.length),
      seed: dice(1 << 30),
    })));
});
