import { beforeAll, describe, expect, test } from "vitest";
import { type Ground, layGround } from "./cells.js";
import { dice, eachCall, replay } from "./choice.js";
import { runLate } from "./late.js";

let ground: Ground;
beforeAll(async () => {
  ground = await layGround();
});

/** Every create of a walk, each once with its own choice of when it lands. */
async function loop(lands: () => number | null, stopped = false): Promise<number> {
  const choices = ground.calls.map(() => ({ lands: lands(), waits: dice(2) === 1 }));
  const late = (at: number) => ({ at, lands: null, waits: true, stopped, ...choices[at] });
  return eachCall(
    (at) => runLate(late(at), ground),
    (at) => replay("test/faults/late.test.ts", late(at)),
  );
}

describe("a create that answers UNKNOWN and takes its effect later never makes a second commit or a false word:", () => {
  test("amid the walk that made it, which ends or goes on", async () => {
    expect(await loop(() => dice(12)), "creates").toBeGreaterThan(20);
  });

  test("amid the process that comes next", async () => {
    expect(await loop(() => 5 + dice(ground.calls.length)), "creates").toBeGreaterThan(20);
  });

  test("when the process that made it was asked to stop meanwhile", async () => {
    expect(await loop(() => dice(20), true), "creates").toBeGreaterThan(20);
  });

  test("after the next process has ended", async () => {
    expect(await loop(() => null), "creates").toBeGreaterThan(20);
  });
});
