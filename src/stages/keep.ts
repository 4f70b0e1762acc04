import type { Effects } from "../effects.js";
import type { Body } from "../model/body.js";
import { isTieout, TieoutError } from "../model/errors.js";
import type { Key } from "../model/ids.js";
import type { Store, Stored, Tags } from "../stores/store.js";

/**
 * Creates a key or finds there what it was to hold: of the bytes, nobody can tell the difference.
 * When the store does not say, it is asked; only if it then says "absent" or other bytes is it no.
 * A key has one content (an attempt's number and a hash are never given twice), so other bytes
 * under it are damage; nothing is written over them.
 * @throws DAMAGED when the key holds other bytes, UNKNOWN when the store never answered
 */
export async function keep(
  key: Key,
  body: Body,
  tags: Tags,
  fx: Pick<Effects, "store">,
): Promise<Stored> {
  const { stored } = await createKnowing(key, body, tags, fx);
  if (stored.sha256 === body.sha256) return stored;
  throw new TieoutError("DAMAGED", {
    subject: key,
    cause: "the store holds other bytes under this key than were ever put there",
    remedy: "restore this object from a backup of the store, then run the id again",
  });
}

/**
 * `create`, with a lost answer resolved by asking: `mine` is true when the key holds exactly these
 * bytes, for a refusal too may be of our own object (a proxy asked twice). Bytes must name their
 * maker where that distinction matters (claims, commits).
 * @throws UNKNOWN, STORE
 */
export async function createKnowing(
  key: Key,
  body: Body,
  tags: Tags,
  fx: { readonly store: Pick<Store, "create" | "head"> },
): Promise<{ readonly mine: boolean; readonly stored: Stored }> {
  try {
    const { mine, stored } = await fx.store.create(key, body, tags);
    return { mine: mine || stored.sha256 === body.sha256, stored };
  } catch (e) {
    if (!isTieout(e, "UNKNOWN")) throw e;
    const stored = await fx.store.head(key);
    if (stored === null) throw e;
    return { mine: stored.sha256 === body.sha256, stored };
  }
}
