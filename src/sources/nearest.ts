import { isTieout } from "../model/errors.js";
import { directorySource } from "./directory.js";

/**
 * The text of the nearest file of a name: in a folder, else in the one above, up to the root.
 * @param dir an absolute path
 * @returns the folder that it lies in, absolute, and its text; null when no folder has one
 */
export async function nearestFile(
  dir: string,
  name: string,
): Promise<{ readonly folder: string; readonly text: string } | null> {
  for (let folder = dir; ; folder = folder.slice(0, Math.max(1, folder.lastIndexOf("/")))) {
    const source = directorySource(folder, folder);
    if ((await found(source, name)).length > 0) return { folder, text: await source.text(name) };
    if (folder === "/") return null;
  }
}

/** A folder that may not be looked into has no such file for us. */
async function found(source: ReturnType<typeof directorySource>, name: string) {
  try {
    return await source.find(name);
  } catch (e) {
    if (isTieout(e)) return [];
    throw e;
  }
}
