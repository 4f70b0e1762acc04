import type { Effects } from "../effects.js";
import { type Act, extendedOf, heldOf, laterOf, purgedOf } from "../model/act.js";
import { isTieout, TieoutError } from "../model/errors.js";
import type { StoredDoc } from "../model/records.js";
import type { Keeping } from "../model/retention.js";
import type { Committed } from "../model/run.js";
import type { Retention } from "../stores/store.js";
import { storedOf } from "./committed.js";
import { readLedger } from "./ledger.js";
import { type KeptObject, objectsOf } from "./references.js";

type Needs = Pick<Effects, "store">;

/**
 * For how long a run is kept, by its manifest, its ledger and the store. @throws DAMAGED, UNKNOWN
 */
export async function keptNow(run: Committed, fx: Needs): Promise<Keeping> {
  const acts = await readLedger(run, fx);
  const gone = purgedOf(acts);
  const there = objectsOf(run).filter(({ path }) => !gone.has(path));
  const data = there.filter((o) => o.data);
  const told = await Promise.all(there.map(({ doc }) => retentionOf(doc, fx)));
  const untils = data.map((o) => keptUntil(o, acts, told[there.indexOf(o)] ?? null));
  const held = heldOf(acts);
  return {
    held: held === null ? null : { since: held.since, reasons: [...held.reasons] },
    until: untils.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null,
    mode: told.find((r) => r !== null)?.mode ?? null,
    objects: there.length,
    objects_held: told.filter((r) => r?.held === true).length,
    purged: [...gone.values()].map(({ path, rows, sha256, at }) => ({ path, rows, sha256, at })),
    acts: acts.map((a) => ({ seq: a.seq, kind: a.kind, at: a.at, by: a.by, says: saysOf(a) })),
  };
}

/** What the store says of an object; null when it has lost it. @throws UNKNOWN */
export async function retentionOf(doc: StoredDoc, fx: Needs): Promise<Retention | null> {
  try {
    return await fx.store.retention(storedOf(doc));
  } catch (e) {
    if (isTieout(e, "STORE")) return null;
    throw e;
  }
}

/** Until when an object is kept: the latest that its manifest, its ledger and the store say. */
export function keptUntil(
  object: KeptObject,
  acts: readonly Act[],
  told: Retention | null,
): string {
  return laterOf([object.until, extendedOf(acts), told?.until ?? null]) ?? object.until;
}

/**
 * What was purged is told as that, whether its bytes are gone from the store already or not.
 * @throws NOT_KEPT with its rows and its hash
 */
export async function assertNotPurged(run: Committed, path: string, fx: Needs): Promise<void> {
  const gone = purgedOf(await readLedger(run, fx)).get(path);
  if (gone === undefined) return;
  const rows = gone.rows === null ? "" : `${gone.rows} rows, `;
  throw new TieoutError("NOT_KEPT", {
    subject: `${run.run_id}/${path}`,
    cause: `it was purged on ${gone.at}: ${rows}SHA-256 ${gone.sha256}`,
    remedy: `ask for what is kept of it: tieout trace ${run.run_id}`,
  });
}

function saysOf(act: Act): string {
  switch (act.kind) {
    case "hold":
    case "release":
      return act.detail.reason;
    case "extend":
      return `until ${act.detail.until}: ${act.detail.reason}`;
    case "purge":
      return `${act.detail.objects.length} files`;
    case "share":
      return `${act.detail.files.length} files to ${act.detail.destination}`;
    case "supersede":
      return `by ${act.detail.by}`;
  }
}
