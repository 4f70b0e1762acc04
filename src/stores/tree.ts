import { dirname, join } from "node:path";
import { byBytes, type Disk, errno } from "../folders/disk.js";
import { syncFolder } from "../folders/place.js";
import type { Key } from "../model/ids.js";
import { keyOf } from "../model/layout.js";
import { isKey } from "./key.js";

/** Makes a folder and what is missing above it, each synced into its parent. */
export async function makeFolders(disk: Disk, dir: string): Promise<void> {
  try {
    await disk.mkdir(dir);
  } catch (e) {
    if (errno(e) === "EEXIST") return;
    if (errno(e) !== "ENOENT") throw e;
    await makeFolders(disk, dirname(dir));
    return makeFolders(disk, dir);
  }
  await syncFolder(disk, dirname(dir));
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
