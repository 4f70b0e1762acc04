import { errno } from "../folders/disk.js";
import { TieoutError } from "../model/errors.js";
import type { Key } from "../model/ids.js";

/** A step that surely has no effect when it fails: the disk's errors become STORE or DISK_FULL. */
export async function certain<T>(key: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (e) {
    const why = errno(e);
    if (why === null) throw e;
    if (why === "ENOTDIR") throw notAFolder(key, e);
    if (why === "ENOSPC" || why === "EDQUOT") throw storeFull(key, why, e);
    throw storeError(
      key,
      `nothing was stored: the store's disk answered ${why}`,
      "look at the store's disk, then run the id again",
      e,
    );
  }
}

function notAFolder(key: string, because: unknown): TieoutError {
  return storeError(
    key,
    "nothing was stored: on the way to this key a file is in the place of a folder",
    "let store.dir name a folder (`tieout config` shows it) and no key be a folder of others",
    because,
  );
}

/** A step that may have had its effect when it fails: the disk's errors become UNKNOWN. */
export async function uncertain<T>(key: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (e) {
    const why = errno(e);
    throw why === null ? e : storeUnknown(key, `the store's disk answered ${why}`, e);
  }
}

/** DISK_FULL: the call surely took no effect. */
function storeFull(key: string, why: string, because: unknown): TieoutError {
  return new TieoutError("DISK_FULL", {
    subject: key,
    cause: `nothing was stored: the store's disk has no room left (${why})`,
    remedy: "free space on the disk of the store, then run the id again",
    because,
  });
}

/** STORE: the call surely took no effect. */
export function storeError(
  key: string,
  cause: string,
  remedy: string,
  because?: unknown,
): TieoutError {
  return new TieoutError("STORE", { subject: key, cause, remedy, because });
}

/** UNKNOWN: nobody knows whether the call took effect. */
export function storeUnknown(key: string, cause: string, because?: unknown): TieoutError {
  return new TieoutError("UNKNOWN", {
    subject: key,
    cause,
    remedy: "run the id again when the store answers: nothing was cleaned up",
    because,
  });
}

export function absent(key: Key): TieoutError {
  return storeError(key, "the store has no such object", "check which store is configured");
}

export function clash(key: string): TieoutError {
  return storeError(
    key,
    "a key cannot be a folder of other keys too, and one of these is there already",
    "list the store's keys and choose another",
  );
}

/** The bytes to be stored are not those that were announced: nothing was stored. */
export function changedOnTheWay(key: Key): TieoutError {
  return storeError(
    key,
    "nothing was stored: the bytes are not those that were hashed before",
    "run the id again: a new attempt seals its files anew",
  );
}

/** The bytes in the store are not those that were stored. */
export function damaged(key: Key): TieoutError {
  return new TieoutError("DAMAGED", {
    subject: key,
    cause: "the store's bytes under this key are not those that were stored",
    remedy: "restore this object from a backup of the store",
  });
}
