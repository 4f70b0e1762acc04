import type { Body, Sealed } from "../model/body.js";
import type { Key, Path } from "../model/ids.js";

/** The store's word that it has these bytes under this key. */
export interface Stored extends Sealed {
  readonly key: Key;
  readonly version: string;
}

/** What every object carries for whoever finds it alone: ASCII values. */
export type Tags = Readonly<Record<string, string>>;

/**
 * Keeps bytes. There is no overwrite at all: `create` makes a key once, and of several callers one
 * wins. Bytes are hashed on their way in and on their way out.
 *
 * UNKNOWN means that the store did not say whether the call took effect: the caller asks again with
 * `head` and cleans nothing. STORE means that the call surely took no effect.
 */
export interface Store {
  /**
   * `mine` is false when the key was already there: `stored` then describes what is there.
   * @throws UNKNOWN, STORE
   */
  readonly create: (
    key: Key,
    body: Body,
    tags?: Tags,
  ) => Promise<{ readonly mine: boolean; readonly stored: Stored }>;
  /**
   * Null when the key (or that version) is absent. Reads no bytes of the object.
   * @throws UNKNOWN
   */
  readonly head: (key: Key, version?: string) => Promise<Stored | null>;
  /**
   * A small document, verified against the hash that `head` gives.
   * @throws DAMAGED, UNKNOWN; STORE when absent
   */
  readonly text: (key: Key, version?: string) => Promise<string>;
  /**
   * Writes the object to `to` (absent before; read-only after), hashed on the way.
   * @throws DAMAGED when the bytes are not `stored`'s
   */
  readonly fetch: (stored: Stored, to: Path) => Promise<Sealed>;
  /** Every key below a prefix, sorted by bytes. @throws UNKNOWN */
  readonly list: (prefix: Key) => Promise<Key[]>;
}
