import type { Body, Sealed } from "../model/body.js";
import type { StoreFacts } from "../model/capabilities.js";
import type { Key, Path } from "../model/ids.js";

/** The store's word that it has these bytes under this key. */
export interface Stored extends Sealed {
  readonly key: Key;
  readonly version: string;
}

/** What every object carries for whoever finds it alone: ASCII values. */
export type Tags = Readonly<Record<string, string>>;

/**
 * How an object is protected from removal. `recorded`: only tieout refuses; the others: the store
 * itself does (Object Lock).
 */
export interface Retention {
  /** ISO instant, inclusive; null: none. */
  readonly until: string | null;
  readonly mode: "recorded" | "governance" | "compliance";
  readonly held: boolean;
}

/** What of a store is about time. */
export interface Retains {
  /** The store's own clock, milliseconds since 1970. @throws UNKNOWN */
  readonly now: () => Promise<number>;
  /** @throws UNKNOWN; STORE when absent */
  readonly retention: (stored: Stored) => Promise<Retention>;
  /**
   * Extends only: an earlier instant changes nothing. Answers what was read back.
   * @throws UNKNOWN, STORE
   */
  readonly retain: (stored: Stored, until: string) => Promise<Retention>;
  /** Legal hold on or off. @throws UNKNOWN, STORE */
  readonly hold: (stored: Stored, on: boolean) => Promise<Retention>;
  /**
   * Removes exactly this version; an absent one is no error.
   * @throws RETAINED while retained or held; STORE when the store refused; UNKNOWN
   */
  readonly remove: (stored: Stored) => Promise<void>;
}

/**
 * Keeps bytes. There is no overwrite at all: `create` makes a key once, and of several callers one
 * wins. Bytes are hashed on their way in and on their way out.
 *
 * UNKNOWN means that the store did not say whether the call took effect: the caller asks again with
 * `head` and cleans nothing. STORE means that the call surely took no effect.
 */
export interface Store extends Retains {
  /** What this store was found to keep to. @throws STORE when nothing may be committed; UNKNOWN */
  readonly facts: () => Promise<StoreFacts>;
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
