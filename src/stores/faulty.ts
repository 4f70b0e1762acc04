import { type Faults, faulty } from "../model/fault.js";
import type { Store } from "./store.js";
import { storeError, storeUnknown } from "./trouble.js";

/**
 * A store whose calls fail as planned. UNKNOWN before the effect is a request that was lost or a
 * store that is down, after it a lost response; STORE is only true of what had no effect, so plan
 * it with `before`.
 */
export function faultyStore(
  store: Store,
  faults: Faults,
  code: "UNKNOWN" | "STORE" = "UNKNOWN",
): Store {
  return faulty(store, faults, {
    error: (call) =>
      code === "UNKNOWN"
        ? storeUnknown(call, "a planned fault: the store did not answer")
        : storeError(call, "a planned fault: the store refused", "run the id again"),
  });
}
