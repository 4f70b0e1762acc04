import type { Effects } from "../effects.js";
import { TieoutError } from "../model/errors.js";
import { keyOf, runFolder } from "../model/layout.js";
import { TeardownRecord } from "../model/records.js";
import { type KeptObject, keptObjects } from "../queries/references.js";
import { retainKept } from "./retain.js";
import type { Stage } from "./stage.js";

/**
 * Fresh proof that the store has everything that must be kept, by key, version and SHA-256, and
 * keeps it for as long as it must (I014); then the run's whole local folder goes, dead attempts
 * included (I013). Without the proof nothing is removed.
 * @throws DAMAGED naming the first object that is lost or other than its receipt; UNKNOWN, DISK
 */
export const teardown: Stage<"committed", TeardownRecord, "torn_down"> = {
  name: "teardown",
  record: TeardownRecord,

  async run(from, fx) {
    const kept = await keptObjects(from, fx);
    await proveKept(kept, fx);
    await retainKept(from, kept, fx);
    await fx.folder.remove(runFolder(fx.root, from.run_id));
    return { proven: kept.length, removed: true };
  },

  async prove(from, record, fx) {
    const left = await fx.folder.list(runFolder(fx.root, from.run_id));
    if (left.length === 0) return { ...from, proven: record.proven };
    throw new TieoutError("TEARDOWN_PENDING", {
      subject: from.run_id,
      cause: `${left.length} entries are left in the run's folder`,
      remedy: "run the id again to finish the teardown",
    });
  },

  journal: () => null,
};

/** Asks the store for every object of a committed run that was not purged. */
async function proveKept(
  kept: readonly KeptObject[],
  fx: Pick<Effects, "store" | "progress">,
): Promise<void> {
  for (const [i, { doc }] of kept.entries()) {
    fx.progress.stage("teardown", doc.key, i, kept.length);
    const now = await fx.store.head(keyOf(doc.key), doc.version);
    if (now?.sha256 === doc.sha256) continue;
    throw new TieoutError("DAMAGED", {
      subject: doc.key,
      cause:
        now === null
          ? "the store has lost this object of a committed run"
          : "the store has other bytes than the receipt says",
      remedy:
        "nothing local was removed: restore the object from " +
        "the run's folder or a backup, then run the id again",
    });
  }
}
