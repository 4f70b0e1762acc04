import type { Effects } from "../effects.js";
import type { Manifest } from "../model/manifest.js";
import { readCommitted } from "../queries/committed.js";
import { readLedger } from "../queries/ledger.js";
import { appendAct } from "./ledger.js";

/**
 * Says on the ledger of the run that this one supersedes that it did; once, however often it is
 * asked for. The truth is the commit of this run: the act is its trace on the other, so that who
 * holds only that one finds it.
 * @throws DAMAGED when that ledger is, UNKNOWN, STORE
 */
export async function recordSuperseded(
  { run_id, supersedes }: Pick<Manifest, "run_id" | "supersedes">,
  fx: Pick<Effects, "store" | "owner">,
): Promise<void> {
  const before = supersedes === null ? null : await readCommitted(supersedes.run_id, fx);
  if (before === null) return;
  const acts = await readLedger(before, fx);
  if (acts.some((act) => act.kind === "supersede" && act.detail.by === run_id)) return;
  await appendAct(before, "supersede", { by: run_id }, fx);
}
