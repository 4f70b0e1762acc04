import type { Caps } from "../model/caps.js";
import { estimateTokens, tokenTenths } from "../model/estimate.js";
import type { CutBy } from "../model/read.js";

/**
 * What an answer costs is measured on the whole of it, serialised as JSON. A list inside an answer
 * is measured once, item by item; the envelope around it is measured for each number of items
 * tried.
 */
interface Size {
  readonly bytes: number;
  readonly tenths: number;
}
const EMPTY: Size = { bytes: 0, tenths: 0 };
export type SizeCut = Extract<CutBy, "tokens" | "bytes">;
type SizeCaps = Pick<Caps, "tokens" | "bytes">;

export interface Fitted {
  /** How many items fit, taken from the front. */
  readonly count: number;
  /** The caps that stopped it; empty when all fit. */
  readonly by: readonly SizeCut[];
}

/** The answer with that many items and an empty list; `by` says what will have stopped it. */
export type Envelope = (count: number, by: readonly SizeCut[]) => object;

/** Whether the answer holds these items; `by` says what will have stopped it. */
export function holds(
  items: readonly unknown[],
  by: readonly SizeCut[],
  envelope: Envelope,
  caps: SizeCaps,
): boolean {
  const inside = runningSizes(items).at(-1) ?? EMPTY;
  return overflow(envelope(items.length, by), inside, caps).length === 0;
}

/** What stops an answer is not known before it is cut: the most that its notice could say. */
export const ANY_SIZE_CUT: readonly SizeCut[] = ["tokens", "bytes"];

/**
 * The most items that fit beside their envelope, `atLeast` if no more do. Precondition: that many
 * fit with `ANY_SIZE_CUT`, or without when there are no more.
 */
export function fitting(
  items: readonly unknown[],
  envelope: Envelope,
  caps: SizeCaps,
  atLeast: number,
): Fitted {
  const sums = runningSizes(items);
  const over = (count: number): SizeCut[] => {
    const by = count < items.length ? ANY_SIZE_CUT : [];
    return overflow(envelope(count, by), sums[count] ?? EMPTY, caps);
  };
  if (over(items.length).length === 0) return { count: items.length, by: [] };
  let [fits, fails] = [atLeast, items.length];
  while (fails - fits > 1) {
    const middle = (fits + fails) >> 1;
    if (over(middle).length === 0) fits = middle;
    else fails = middle;
  }
  return { count: fits, by: over(fails) };
}

function overflow(envelope: object, inside: Size, caps: SizeCaps): SizeCut[] {
  const around = sizeOf(JSON.stringify(estimated(envelope, caps.tokens)));
  const over: SizeCut[] = [];
  if (around.tenths + inside.tenths > caps.tokens * 10) over.push("tokens");
  if (around.bytes + inside.bytes > caps.bytes) over.push("bytes");
  return over;
}

/** The answer with what it costs, that number included. */
export function withEstimate<T extends object>(answer: T): T & { estimated_tokens: number } {
  let tokens = 0;
  for (;;) {
    const costs = estimateTokens(JSON.stringify(estimated(answer, tokens)));
    if (costs === tokens) return estimated(answer, tokens);
    tokens = costs;
  }
}

function estimated<T extends object>(answer: T, tokens: number): T & { estimated_tokens: number } {
  return { ...answer, estimated_tokens: tokens };
}

function sizeOf(text: string): Size {
  return { bytes: Buffer.byteLength(text), tenths: tokenTenths(text) };
}

/** Sizes of the first 0, 1, 2, … items with the commas between them. */
function runningSizes(items: readonly unknown[]): Size[] {
  let sum = EMPTY;
  const sums = [sum];
  for (const [i, item] of items.entries()) {
    const size = sizeOf((i > 0 ? "," : "") + JSON.stringify(item));
    sum = { bytes: sum.bytes + size.bytes, tenths: sum.tenths + size.tenths };
    sums.push(sum);
  }
  return sums;
}
