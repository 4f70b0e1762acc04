import type { Effects } from "../effects.js";
import { sharedKey } from "../model/layout.js";
import type { Sharing } from "../model/report.js";
import type { Committed } from "../model/run.js";
import { readLedger } from "./ledger.js";

/**
 * What became of the copies that a committed run's job asks for: `shared` is what the run's ledger
 * says, `pending` is yet to be copied. Without an artefact that is shared nothing is asked of the
 * store.
 * @throws DAMAGED when the ledger is, UNKNOWN
 */
export async function sharingOf(
  run: Committed,
  fx: Pick<Effects, "store" | "shares">,
): Promise<Sharing[]> {
  const wanted = wantedOf(run, fx);
  if (wanted.length === 0) return [];
  const acts = await readLedger(run, fx);
  const done = acts.flatMap((act) =>
    act.kind === "share"
      ? act.detail.files.map((file) => `${act.detail.destination}:${file.path}`)
      : [],
  );
  return wanted.map((s) =>
    done.includes(`${s.destination}:${s.artefact}`) ? { ...s, state: "shared", why: null } : s,
  );
}

/** What is to be copied, as long as nobody has looked at what was. */
export function wantedOf({ run_id, manifest }: Committed, fx: Pick<Effects, "shares">): Sharing[] {
  return manifest.artefacts.flatMap(({ path: artefact, share: destination }): Sharing[] => {
    if (destination === null) return [];
    const told = { artefact, destination, to: sharedKey(run_id, artefact) };
    if (fx.shares.names.includes(destination))
      return [{ ...told, state: "pending", why: "it was not copied yet" }];
    const why = `no destination ${destination} is configured`;
    return [{ ...told, state: "not shared", why }];
  });
}
