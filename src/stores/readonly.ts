import type { Store } from "./store.js";
import { storeError } from "./trouble.js";

/** A store that an auditor or a report may be given: it answers, and keeps nothing new. */
export function readOnlyStore(store: Store): Store {
  return {
    ...store,
    create: async (key) => {
      throw storeError(
        key,
        "nothing was stored: this store was opened to be read only",
        "use a command that only reads",
      );
    },
  };
}
