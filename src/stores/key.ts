import type { Key } from "../model/ids.js";
import { storeError } from "./trouble.js";

const NAME = "[A-Za-z0-9_-][A-Za-z0-9_.-]*";
const KEY = new RegExp(`^${NAME}(?:/${NAME})*$`);

/**
 * A key is a relative path of names of `[A-Za-z0-9_.-]`, none of which is empty or starts with a
 * dot: such names are a directory store's own.
 */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** @throws STORE on what is no key */
export function checkKey(key: Key): void {
  if (!isKey(key)) throw storeError(key, "this is not a key", "use the keys of the layout only");
}

/** A prefix is empty, or the start of a key. @throws STORE on any other */
export function checkPrefix(prefix: Key): void {
  if (prefix !== "" && !isKey(prefix.endsWith("/") ? prefix.slice(0, -1) : prefix))
    throw storeError(prefix, "this is not a prefix of keys", "use the prefixes of the layout only");
}
