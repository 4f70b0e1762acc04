import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mapBounded } from "../../src/stages/bounded.js";

/** Works on numbers until each is let go, and knows which are under way. */
function works() {
  const under_way = new Map<number, { done: () => void; fail: (e: Error) => void }>();
  const begun: number[] = [];
  const work = (n: number): Promise<string> => {
    begun.push(n);
    return new Promise((resolve, reject) => {
      const end = (then: () => void) => (): void => {
        under_way.delete(n);
        then();
      };
      const fail = (e: Error): void => end(() => reject(e))();
      under_way.set(n, { done: end(() => resolve(`done ${n}`)), fail });
    });
  };
  return { under_way, begun, work };
}
const settled = (): Promise<void> => new Promise((next) => setImmediate(next));
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

describe("items worked on a few at a time", () => {
  test("are begun in order, never too many, and answered in order whichever ends first", async () => {
    const picks = fc.infiniteStream(fc.nat());
    await fc.assert(
      fc.asyncProperty(
        fc.nat(12),
        fc.integer({ min: 1, max: 5 }),
        picks,
        async (n, limit, pick) => {
          const { under_way, begun, work } = works();
          const all = mapBounded(upTo(n), limit, work);
          for (let ended = 0; ended < n; ended++) {
            await settled();
            expect(under_way.size).toBe(Math.min(limit, n - ended));
            const which = Number(pick.next().value) % under_way.size;
            [...under_way.values()][which]?.done();
          }
          expect(await all).toEqual(upTo(n).map((i) => `done ${i}`));
          expect(begun).toEqual(upTo(n));
        },
      ),
      { numRuns: 50 },
    );
  });

  test("after the first failure begin no more, and it is told when those under way have ended", async () => {
    const { under_way, begun, work } = works();
    let told: unknown = null;
    const all = mapBounded(upTo(9), 3, work).catch((e: unknown) => {
      told = e;
    });
    await settled();
    under_way.get(1)?.fail(new Error("first"));
    await settled();
    under_way.get(0)?.fail(new Error("second"));
    await settled();
    expect({ begun, told }).toEqual({ begun: [0, 1, 2], told: null });
    under_way.get(2)?.done();
    await all;
    expect(told).toEqual(new Error("first"));
    expect(begun).toEqual([0, 1, 2]);
  });

  test("a work that throws before it answers is a failure like another", async () => {
    const broken = (): Promise<string> => {
      throw new Error("at once");
    };
    await expect(mapBounded([1, 2], 2, broken)).rejects.toThrow("at once");
  });
});
