import { byBytes } from "../folders/disk.js";
import type { Key } from "../model/ids.js";
import { isControl } from "../model/layout.js";
import type { Store, Stored } from "./store.js";

/**
 * One store over two places: what at most one caller may create goes to `control`, all else to
 * `main`. For buckets that keep versions and then let every caller win a conditional create. What
 * lies in the wrong one of the two places is not seen.
 */
export function splitStore(main: Store, control: Store): Store {
  const of = (key: Key): Store => (isControl(key) ? control : main);
  const about = ({ key }: Stored): Store => of(key);
  return {
    create: (key, body, tags) => of(key).create(key, body, tags),
    head: (key, version) => of(key).head(key, version),
    text: (key, version) => of(key).text(key, version),
    fetch: (stored, to) => about(stored).fetch(stored, to),
    list: async (prefix) => {
      if (isControl(prefix)) return control.list(prefix);
      const [data, claims] = await Promise.all([main.list(prefix), control.list(prefix)]);
      return [...data.filter((k) => !isControl(k)), ...claims.filter(isControl)].sort(byBytes);
    },
    facts: async () => {
      const [data, { conditional_create }] = await Promise.all([main.facts(), control.facts()]);
      return { ...data, conditional_create: `${conditional_create}, in a place of its own` };
    },
    now: () => control.now(),
    retention: (stored) => about(stored).retention(stored),
    retain: (stored, until) => about(stored).retain(stored, until),
    hold: (stored, on) => about(stored).hold(stored, on),
    remove: (stored) => about(stored).remove(stored),
  };
}
