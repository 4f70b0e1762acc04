import { beforeAll, describe, expect, test } from "vitest";
import {
  type Ground,
  layGround,
  RESUMES,
  runCell,
  STARTS,
  type Start,
  TROUBLES,
  type TroubleName,
} from "./cells.js";
import { dice, eachCall, replay } from "./choice.js";

let ground: Ground;
beforeAll(async () => {
  ground = await layGround();
});

/** What fails, as the law's name says it. */
const SAYS: Readonly<Record<TroubleName, string>> = {
  before: "a call that fails without effect",
  after: "a call that has its effect and fails",
  torn: "a call that has half of its effect and fails",
  kill: "the end of the process at a call",
  onward: "a fault that comes and stays, of every port",
  down: "a store that is down from a call on",
  mute: "a store that acts and never answers again from a call on",
  refused: "a store that refuses to create an object",
};

/** Every `stride`-th call of one walk, each with one way of taking the run up again. */
async function loop(start: Start, trouble: TroubleName, stride: number): Promise<number> {
  const [shift, seed] = [dice(RESUMES.length), dice(1 << 30)];
  const cell = (at: number) => {
    const resume = RESUMES[(at + shift) % RESUMES.length] ?? "once";
    return { start, trouble, at, resume, seed: seed + at };
  };
  return eachCall(
    (at) => runCell(cell(at), ground),
    (at) => replay("test/faults/ports.test.ts", cell(at)),
    stride,
  );
}

describe("at any call of any port, nothing false is left or told, and the id can be run again:", () => {
  for (const trouble of Object.keys(TROUBLES) as TroubleName[])
    test(SAYS[trouble], async () => {
      expect(await loop("nothing", trouble, 2), "calls that could fail").toBeGreaterThan(20);
    });
});

describe("so it is when the run had begun before:", () => {
  for (const start of STARTS.filter((s) => s !== "nothing"))
    for (const trouble of ["before", "kill", "down"] as const)
      test(`${start}, then ${SAYS[trouble]}`, async () => {
        expect(await loop(start, trouble, 5), "calls that could fail").toBeGreaterThan(20);
      });
});
