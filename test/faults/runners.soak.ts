import { expect, test } from "vitest";
import { layGround } from "./cells.js";
import { dice, eachCall, inPart, replay } from "./choice.js";
import { runContest } from "./runners.js";

const ORDERS = 40;

test("2 and 3 runners of one id, one paused before each call, in many orders", async () => {
  const ground = await layGround();
  const rounds = [2, 3].flatMap((runners) => Array.from({ length: ORDERS }, () => ({ runners })));
  for (const { runners } of rounds.filter((_, i) => inPart(i))) {
    const contest = (sleeps: number) => ({
      runners,
      sleeps,
      wakes: dice(2 * ground.calls.length),
      seed: dice(1 << 30),
    });
    let now = contest(1);
    const calls = await eachCall(
      (sleeps) => {
        now = contest(sleeps);
        return runContest(now, ground);
      },
      () => replay("test/faults/runners.soak.ts", now),
    );
    const but_beats = ground.calls.filter((call) => !call.includes("/claims/"));
    expect(calls).toBeGreaterThan(but_beats.length / 2); // an order of turns may end a runner early
  }
});
