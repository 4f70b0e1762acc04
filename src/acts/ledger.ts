import type { Effects } from "../effects.js";
import { Act, type ActKind, type ActOf } from "../model/act.js";
import { canonicalJson, documentText, textBody } from "../model/canonical.js";
import { TieoutError } from "../model/errors.js";
import { runKeys } from "../model/layout.js";
import { type Ledgered, openLedger } from "../queries/ledger.js";
import { createKnowing } from "../stages/keep.js";

type Needs = Pick<Effects, "store" | "owner">;

const TRIES = 64;

/**
 * Puts one act at the end of a run's ledger: a conditional create of the next number, chained to
 * what is before it; who loses that number reads again and takes the next. An act whose answer was
 * lost, asked for again by the same process before anybody else acts, is the one that is there.
 * @param judge - throws when the act may not follow these; nothing comes between them and it
 * @throws DAMAGED when the ledger is; UNKNOWN when the store does not say: the act may be there
 */
export async function appendAct<K extends ActKind>(
  run: Ledgered,
  kind: K,
  detail: ActOf<K>["detail"],
  fx: Needs,
  judge: (acts: readonly Act[]) => void = () => undefined,
): Promise<Act> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { acts, head } = await openLedger(run, fx);
    const last = acts.at(-1);
    if (last?.by === fx.owner && last.kind === kind && isSame(last.detail, detail)) return last;
    judge(acts);
    const seq = acts.length + 1;
    const act = written({
      schema: "tieout/act/1",
      run_id: run.run_id,
      seq,
      kind,
      at: new Date(await fx.store.now()).toISOString(),
      by: fx.owner,
      prev: head,
      detail,
    });
    const tags = { run_id: run.run_id, kind: "act" };
    const key = runKeys(run.run_id).act(seq);
    const { mine } = await createKnowing(key, textBody(documentText(act)), tags, fx);
    if (mine) return act;
  }
  throw new TieoutError("STORE", {
    subject: run.run_id,
    cause: "others write to the run's ledger all the time",
    remedy: "try again later",
  });
}

/** Tolerance is for reading: an act is written with the fields of its kind and no others. */
function written(act: Record<string, unknown>): Act {
  const parsed = Act.parse(act);
  if (!isSame(parsed, act)) throw new Error(`an act of kind ${parsed.kind} has no such field`);
  return parsed;
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
