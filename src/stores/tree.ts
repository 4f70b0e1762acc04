import { dirname, join } from "node:path";
import { byBytes, type Disk, errno } from "../folders/disk.js";
import { syncFolder } from "../folders/place.js";
import type { Key } from "../model/ids.js";
import { keyOf } from "../model/layout.js";
import { isKey } from "./key.js";

/**
 * Makes a folder and what is missing above it, each synced into its parent. One below `top` that is
 * there already is synced too: whoever made it may have died before doing so.
 * @param settled folders that this process has synced; filled as it goes
 */
export async function makeFolders(
  disk: Disk,
  dir: string,
  top: string,
  settled: Set<string> = new Set(),
): Promise<void> {
  if (settled.has(dir)) return;
  const isBelow = dir.startsWith(`${top}/`);
  if (isBelow) await makeFolders(disk, dirname(dir), top, settled);
  const isNew = await makeFolder(disk, dir, top, settled);
  if (isNew || isBelow) await syncFolder(disk, dirname(dir));
  settled.add(dir);
}

/** False when it was there already. A disk that misses the parent it just made is asked once. */
async function makeFolder(
  disk: Disk,
  dir: string,
  top: string,
  settled: Set<string>,
  first = true,
): Promise<boolean> {
  try {
    await disk.mkdir(dir);
    return true;
  } catch (e) {
    if (errno(e) === "EEXIST") return false;
    if (errno(e) !== "ENOENT" || !first) throw e;
    await makeFolders(disk, dirname(dir), top, settled);
    return makeFolder(disk, dir, top, settled, false);
  }
}

/**
 * Keys below a folder that start with `prefix`, sorted by bytes. Names that are no keys are not
 * ours.
 */
export async function keysBelow(disk: Disk, root: string, prefix: Key): Promise<Key[]> {
  const from = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const files = await filesBelow(disk, root, from);
  return files
    .filter((file) => file.startsWith(prefix) && isKey(file))
    .sort(byBytes)
    .map(keyOf);
}

/**
 * Relative paths; `from` is empty or ends in a slash. Names with a leading dot are the store's
 * own.
 */
async function filesBelow(disk: Disk, root: string, from: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind } of await entriesOf(disk, join(root, from))) {
    if (name.startsWith(".")) continue;
    if (kind === "file") found.push(`${from}${name}`);
    if (kind === "folder") found.push(...(await filesBelow(disk, root, `${from}${name}/`)));
  }
  return found;
}

async function entriesOf(disk: Disk, dir: string): ReturnType<Disk["readdir"]> {
  try {
    return await disk.readdir(dir);
  } catch (e) {
    if (errno(e) === "ENOENT" || errno(e) === "ENOTDIR") return [];
    throw e;
  }
}
