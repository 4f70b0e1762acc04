import type { Effects } from "../effects.js";
import { Act } from "../model/act.js";
import { sha256Of } from "../model/canonical.js";
import { isTieout, TieoutError } from "../model/errors.js";
import type { Sha256 } from "../model/ids.js";
import { actOf, runKeys } from "../model/layout.js";
import type { Committed } from "../model/run.js";

/** The run of a ledger: its first entry names the run's manifest. */
export type Ledgered = Pick<Committed, "run_id" | "commit">;

/** A ledger as it was read: its acts in order, and what the next one names as the one before. */
export interface Ledger {
  readonly acts: readonly Act[];
  readonly head: Sha256;
}

/**
 * The acts on a run, in order, each proven to follow the one before. That the last entries are all
 * lost is not seen here: nothing names them.
 * @throws DAMAGED naming the entry that is missing, changed or out of its chain; UNKNOWN
 */
export async function readLedger(run: Ledgered, fx: Pick<Effects, "store">): Promise<Act[]> {
  return [...(await openLedger(run, fx)).acts];
}

/** As `readLedger`, with the hash that the next entry is chained to. */
export async function openLedger(run: Ledgered, fx: Pick<Effects, "store">): Promise<Ledger> {
  const keys = await fx.store.list(runKeys(run.run_id).ledger);
  const length = Math.max(0, ...keys.map((key) => actOf(key) ?? 0));
  const acts: Act[] = [];
  let head = run.commit.manifest.sha256;
  for (let seq = 1; seq <= length; seq++) {
    const text = await entryText(run, seq, fx);
    acts.push(parsed(run, seq, head, text));
    head = sha256Of(text);
  }
  return { acts, head };
}

/** Of two entries made at the same time a listing may have only the later one: it is asked for. */
async function entryText(run: Ledgered, seq: number, fx: Pick<Effects, "store">): Promise<string> {
  const key = runKeys(run.run_id).act(seq);
  if ((await fx.store.head(key)) === null) throw damaged(run, seq, "is missing");
  try {
    return await fx.store.text(key);
  } catch (e) {
    if (!isTieout(e, "DAMAGED")) throw e;
    throw damaged(run, seq, "has other bytes than the store was given", e);
  }
}

function parsed(run: Ledgered, seq: number, prev: Sha256, text: string): Act {
  const act = Act.safeParse(json(text)).data;
  if (act === undefined) throw damaged(run, seq, "is not an act");
  if (act.run_id !== run.run_id || act.seq !== seq)
    throw damaged(run, seq, `says that it is act ${act.seq} of ${act.run_id}`);
  if (act.prev !== prev) throw damaged(run, seq, "does not follow what is before it");
  return act;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function damaged(run: Ledgered, seq: number, cause: string, because?: unknown): TieoutError {
  return new TieoutError("DAMAGED", {
    subject: runKeys(run.run_id).act(seq),
    cause: `act ${seq} of the run's ledger ${cause}`,
    remedy: "restore the object from a backup of the store; nothing was changed",
    at: { seq },
    because,
  });
}
