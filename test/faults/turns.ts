/** A number from 0 up to `below`, itself excluded. */
export type Dice = (below: number) => number;

/** The same numbers for the same seed (mulberry32). */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** One who takes part: it waits for its turn before each step. */
export type Player<T> = (turn: () => Promise<void>) => Promise<T>;

/**
 * Players that run at once in an order that a dice decides, one step at a time: whoever is let go
 * does all until it next waits, since nothing here waits for a disk. The same dice, the same order.
 */
export async function interleaved<T>(players: readonly Player<T>[], dice: Dice): Promise<T[]> {
  const waiting: (() => void)[] = [];
  let playing = players.length;
  const turn = (): Promise<void> => new Promise((go) => waiting.push(go));
  const ends = players.map(async (play) => {
    try {
      await turn();
      return await play(turn);
    } finally {
      playing -= 1;
    }
  });
  while (playing > 0) {
    await new Promise((next) => setImmediate(next));
    waiting.splice(dice(Math.max(1, waiting.length)), 1)[0]?.();
  }
  return Promise.all(ends);
}
