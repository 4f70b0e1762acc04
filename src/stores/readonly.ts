import type { Key } from "../model/ids.js";
import type { Store } from "./store.js";
import { storeError } from "./trouble.js";

/** A store that an auditor or a report may be given: it answers, and keeps nothing new. */
export function readOnlyStore(store: Store): Store {
  const refuse = (key: Key): never => {
    throw storeError(
      key,
      "nothing was changed: this store was opened to be read only",
      "use a command that only reads",
    );
  };
  return {
    ...store,
    create: async (key) => refuse(key),
    retain: async ({ key }) => refuse(key),
    hold: async ({ key }) => refuse(key),
    remove: async ({ key }) => refuse(key),
  };
}
