/** What waiting needs from the outside, so that a test can turn hours into nothing. */
export interface Timing {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  /** Calls `f` once after so many milliseconds, unless the returned function is called before. */
  readonly after: (ms: number, f: () => void) => () => void;
}

/** How long a store is asked. All in milliseconds but the number of tries. */
export interface Policy {
  readonly tries: number;
  /** No try begins later than this after the first. */
  readonly deadline_ms: number;
  /** The pause before the second try is at most this; before each next one twice as much. */
  readonly first_pause_ms: number;
  readonly longest_pause_ms: number;
  readonly connect_ms: number;
  /** Ends a try in which no byte moved for so long. */
  readonly stall_ms: number;
}

export const PATIENT: Policy = {
  tries: 8,
  deadline_ms: 120_000,
  first_pause_ms: 100,
  longest_pause_ms: 10_000,
  connect_ms: 5_000,
  stall_ms: 30_000,
};

/** A try that was ended because nothing moved any more: nobody knows what became of it. */
class Stalled extends Error {
  constructor(ms: number) {
    super(`no byte moved for ${ms} ms`);
    this.name = "Stalled";
  }
}

/**
 * One request under a watch that every moved byte sets back.
 * @param request calls `moved` for each piece of a body; ends when `signal` is aborted
 * @throws Stalled, or what the request threw
 */
export async function watched<T>(
  { timing, policy }: { readonly timing: Timing; readonly policy: Policy },
  request: (signal: AbortSignal, moved: () => void) => Promise<T>,
): Promise<T> {
  const ms = policy.stall_ms;
  const ended = new AbortController();
  const stop = (): void => ended.abort(new Stalled(ms));
  let cancel = timing.after(ms, stop);
  const moved = (): void => {
    cancel();
    cancel = timing.after(ms, stop);
  };
  try {
    return await request(ended.signal, moved);
  } catch (e) {
    throw ended.signal.aborted ? ended.signal.reason : e;
  } finally {
    cancel();
  }
}

/**
 * Tries until it works, until what was thrown is not worth another try, or until the policy's tries
 * or time are used up; between two tries it waits a random part of a doubling pause, so that many
 * runners do not come back together.
 * @throws what the last try threw
 */
export async function persistently<T>(
  { timing, policy }: { readonly timing: Timing; readonly policy: Policy },
  attempt: (n: number) => Promise<T>,
  again: (e: unknown, n: number) => boolean,
): Promise<T> {
  const until = timing.now() + policy.deadline_ms;
  for (let n = 1; ; n++) {
    try {
      return await attempt(n);
    } catch (e) {
      if (n >= policy.tries || timing.now() >= until || !again(e, n)) throw e;
    }
    const ms = pauseOf(policy, n, timing.random());
    await new Promise<void>((wake) => timing.after(ms, wake));
  }
}

/** @param n the try that failed, from 1; @param random from 0 up to 1 */
function pauseOf(policy: Policy, n: number, random: number): number {
  const longest = Math.min(policy.longest_pause_ms, policy.first_pause_ms * 2 ** (n - 1));
  return Math.ceil(longest * random);
}
