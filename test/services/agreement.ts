import type { Key } from "../../src/model/ids.js";
import type { NetTrouble, Network } from "./network.js";
import { ACTS, type Bench } from "./truth.js";

/** What a call said that is not so, by the request that met the trouble. */
export interface Lies {
  readonly at: string;
  readonly lies: readonly string[];
}

/**
 * One call of the store, with its first, second and third request in turn meeting a trouble, and
 * then every one of them.
 * @param bench gives a place where the key is not yet taken
 */
export async function liesOf(
  act: string,
  trouble: NetTrouble,
  network: Network,
  bench: () => { readonly key: Key; readonly at: Bench },
): Promise<Lies[]> {
  const found: Lies[] = [];
  for (const [times, last] of [
    ["once", 3],
    ["onward", 1],
  ] as const) {
    for (let n = 1, met = true; met && n <= last; n++) {
      const { key, at } = bench();
      network.plan(trouble, n, times);
      const lies = (await ACTS[act]?.(key, at)) ?? [`there is no ${act}`];
      met = network.requests() >= n;
      if (lies.length > 0) found.push({ at: `request ${n}, ${times}`, lies });
    }
  }
  return found;
}
