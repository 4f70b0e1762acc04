import { expect } from "vitest";
import type { Fate } from "./cells.js";
import { type Dice, diceOf } from "./turns.js";

/** `FAULT_SEED` replays a run of the loops; without it each run has a seed of its own. */
export const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
export const dice: Dice = diceOf(SEED);

/** How to see a cell again, for the message of one that fails. */
export function replay(file: string, cell: unknown): string {
  return `${JSON.stringify(cell)}; again: FAULT_SEED=${SEED} npx vitest run ${file}`;
}

/** Every k-th cell of n parts, as `SOAK_PART=k/n` asks; all without it. */
export function inPart(index: number): boolean {
  const [k = 1, n = 1] = (process.env.SOAK_PART ?? "1/1").split("/").map(Number);
  return index % n === k - 1;
}

/**
 * Runs cells for the 1st, 2nd, 3rd … call until one is past the last; all that is not so is told at
 * once, by cell.
 * @param stride runs every so many-th call only, from one that the seed picks
 * @returns how many calls there were, at least
 */
export async function eachCall(
  run: (at: number) => Promise<Fate>,
  name: (at: number) => string,
  stride = 1,
): Promise<number> {
  const broken: string[] = [];
  for (let at = 1 + dice(stride); ; at += stride) {
    const { failed, breaks } = await run(at);
    if (breaks.length > 0) broken.push(`${failed} ${name(at)}\n  ${breaks.join("\n  ")}`);
    if (failed !== null) continue;
    expect(broken, broken.slice(0, 5).join("\n")).toEqual([]);
    return at - stride;
  }
}
