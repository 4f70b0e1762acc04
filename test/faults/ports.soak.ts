import { expect, test } from "vitest";
import {
  type Cell,
  layGround,
  RESUMES,
  runCell,
  STARTS,
  TROUBLES,
  type TroubleName,
} from "./cells.js";
import { dice, eachCall, inPart, replay } from "./choice.js";
import { runSleep } from "./stale.js";

const ORDERS = 3;

test("every call of every port, every trouble, start and way to take the run up again", async () => {
  const ground = await layGround();
  const rounds = STARTS.flatMap((start) =>
    (Object.keys(TROUBLES) as TroubleName[]).flatMap((trouble) =>
      RESUMES.flatMap((resume) =>
        Array.from({ length: resume === "at once" ? ORDERS : 1 }, () => ({
          start,
          trouble,
          resume,
        })),
      ),
    ),
  );
  for (const round of rounds.filter((_, i) => inPart(i))) {
    const seed = dice(1 << 30);
    const cell = (at: number): Cell => ({ ...round, at, seed: seed + at });
    const name = (at: number): string => replay("test/faults/ports.soak.ts", cell(at));
    await eachCall((at) => runCell(cell(at), ground), name);
  }
});

test("every call that a process sleeps before, against every call of the newer one", async () => {
  const ground = await layGround();
  for (const wakes of [null, ...ground.calls.keys()].filter((_, i) => inPart(i)))
    await eachCall(
      (sleeps) => runSleep({ sleeps, wakes }, ground),
      (sleeps) => replay("test/faults/ports.soak.ts", { sleeps, wakes }),
    );
  expect(ground.calls.length).toBeGreaterThan(100);
});
