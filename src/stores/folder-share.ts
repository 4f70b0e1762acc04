import { dirname, join } from "node:path";
import { type Disk, errno, realDisk, withFile } from "../folders/disk.js";
import { prepare, publish, writeAll } from "../folders/place.js";
import type { Key } from "../model/ids.js";
import { checkKey } from "./key.js";
import type { Store, Stored } from "./store.js";
import { makeFolders } from "./tree.js";
import { certain, changedOnTheWay, storeError, uncertain } from "./trouble.js";

/**
 * A folder for people: the copy of a key is the plain file `<dir>/<key>`, mode 0444, and nothing
 * else lies beside it. A copy appears whole or not at all and never replaces what is there. The
 * folder itself is never made: one that is absent is a share that is not mounted.
 * @param dir absolute
 */
export function sharedFolder(dir: string, disk: Disk = realDisk): Pick<Store, "create" | "head"> {
  const head: Store["head"] = async (key) => {
    checkKey(key);
    return uncertain(key, () => look(disk, dir, key));
  };
  return {
    head,
    create: async (key, body) => {
      const there = await head(key);
      if (there !== null) return { mine: false, stored: there };
      await assertMounted(disk, dir, key);
      const to = join(dir, key);
      const { temporary, sealed } = await certain(key, async () => {
        await makeFolders(disk, dirname(to), dir);
        const fill = (t: string): Promise<void> =>
          withFile(disk, t, "create", (file) => writeAll(file, body.open()));
        return prepare(disk, to, fill, (copied) => {
          if (copied.sha256 !== body.sha256) throw changedOnTheWay(key);
        });
      });
      return uncertain(key, async () => {
        try {
          await publish(disk, temporary, to);
          return { mine: true, stored: stored(key, sealed) };
        } catch (e) {
          const now = errno(e) === "EEXIST" ? await look(disk, dir, key) : null;
          if (now === null) throw e;
          return { mine: false, stored: now };
        }
      });
    },
  };
}

async function look(disk: Disk, dir: string, key: Key): Promise<Stored | null> {
  try {
    const path = join(dir, key);
    if ((await disk.lstat(path)).kind !== "file") return null;
    return stored(key, await disk.hash(path));
  } catch (e) {
    if (errno(e) === "ENOENT" || errno(e) === "ENOTDIR") return null;
    throw e;
  }
}

function stored(key: Key, sealed: Pick<Stored, "sha256" | "size_bytes">): Stored {
  return { key, ...sealed, version: sealed.sha256 };
}

async function assertMounted(disk: Disk, dir: string, key: Key): Promise<void> {
  try {
    await disk.readdir(dir);
  } catch (e) {
    throw storeError(
      key,
      `the folder of the destination cannot be read (${errno(e) ?? "an unknown error"})`,
      "mount or make it, then run tieout share",
      e,
    );
  }
}
