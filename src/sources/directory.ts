import { byBytes, type Disk, type Entry, errno, type Named, realDisk } from "../folders/disk.js";
import type { Outside } from "../model/ids.js";
import { globParts, pathParts } from "./glob.js";
import type { Found, Source } from "./source.js";
import { leaves, sourceTrouble, strictText } from "./trouble.js";

/**
 * The files of a folder outside every run. A link is followed when it stays within the folder and
 * refused, never skipped, when it does not: an input that is silently absent is a wrong number.
 * @param dir an absolute path
 * @param name what messages call it, such as the folder as the user gave it
 */
export function directorySource(
  dir: string,
  name: string,
  options: { readonly disk?: Disk } = {},
): Source {
  const disk = options.disk ?? realDisk;
  const on = async <T>(subject: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (e) {
      throw sourceTrouble(subject, name, e);
    }
  };
  return {
    name,
    find: async (glob) => {
      const parts = globParts(glob);
      return on(glob, async () => {
        const names = (await matching(disk, dir, parts)).sort(byBytes);
        const found = await Promise.all(names.map((file) => resolve(disk, dir, file, name)));
        return found.filter((f) => f !== null);
      });
    },
    exists: () => on(name, async () => (await kindOf(disk, dir)) === "folder"),
    hash: (file) => on(file.slice(file.lastIndexOf("/") + 1), () => disk.hash(file)),
    text: async (file) => {
      pathParts(file);
      return on(file, async () => {
        const path = await inside(disk, dir, file, name);
        return strictText(await disk.readFile(path), file);
      });
    },
  };
}

/** Relative paths of files and links that match, folders and their links along the way. */
async function matching(
  disk: Disk,
  dir: string,
  parts: readonly ((name: string) => boolean)[],
): Promise<string[]> {
  const [first, ...rest] = parts;
  const names = (await entriesOf(disk, dir)).filter((e) => first?.(e.name));
  if (rest.length === 0)
    return names.filter((e) => e.kind === "file" || e.kind === "link").map((e) => e.name);
  const deeper = names.filter((e) => e.kind === "folder" || e.kind === "link");
  const below = await Promise.all(
    deeper.map(async ({ name }) =>
      (await matching(disk, `${dir}/${name}`, rest)).map((file) => `${name}/${file}`),
    ),
  );
  return below.flat();
}

async function entriesOf(disk: Disk, dir: string): Promise<Named[]> {
  try {
    return await disk.readdir(dir);
  } catch (e) {
    if (errno(e) === "ENOENT" || errno(e) === "ENOTDIR") return [];
    throw e;
  }
}

/** Null for a link to a folder: not a file, so it is not meant. */
async function resolve(
  disk: Disk,
  dir: string,
  file: string,
  source: string,
): Promise<Found | null> {
  const path = await inside(disk, dir, file, source);
  const { kind } = await disk.lstat(path);
  return kind === "file" ? { file: path, name: file } : null;
}

/** Where a name within the folder really lies. @throws INPUT_INVALID when that is outside of it */
async function inside(disk: Disk, dir: string, file: string, source: string): Promise<Outside> {
  const root = await disk.realpath(dir);
  let path: string;
  try {
    path = await disk.realpath(`${dir}/${file}`);
  } catch (e) {
    if (errno(e) === "ENOENT" && (await isLink(disk, `${dir}/${file}`))) throw leaves(file, source);
    throw e;
  }
  if (!path.startsWith(root === "/" ? root : `${root}/`)) throw leaves(file, source);
  return path as Outside;
}

/** What a path leads to, links followed; null for nothing. */
async function kindOf(disk: Disk, path: string): Promise<Entry["kind"] | null> {
  try {
    return (await disk.lstat(await disk.realpath(path))).kind;
  } catch (e) {
    if (errno(e) === "ENOENT" || errno(e) === "ENOTDIR") return null;
    throw e;
  }
}

async function isLink(disk: Disk, path: string): Promise<boolean> {
  const entry = await disk.lstat(path).catch(() => null);
  return entry?.kind === "link";
}
