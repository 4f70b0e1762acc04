import { beforeAll, describe, expect, test } from "vitest";
import { type Ground, layGround, RESUMES, runCell, TROUBLES, type TroubleName } from "./cells.js";
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

describe("at any call of any port, nothing false is left or told, and the id can be run again:", () => {
  for (const trouble of Object.keys(TROUBLES) as TroubleName[])
    test(SAYS[trouble], async () => {
      const start = dice(RESUMES.length);
      const seed = dice(1 << 30);
      const cell = (at: number) => {
        const resume = RESUMES[(at + start) % RESUMES.length] ?? "once";
        return { trouble, at, resume, seed: seed + at };
      };
      const calls = await eachCall(
        (at) => runCell(cell(at), ground),
        (at) => replay("test/faults/ports.test.ts", cell(at)),
      );
      expect(calls, "calls that could fail").toBeGreaterThan(20);
    });
});
