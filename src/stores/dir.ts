import { dirname, join } from "node:path";
import { type Disk, type Entry, errno, realDisk, withFile } from "../folders/disk.js";
import { prepare, publish, syncFolder, writeAll } from "../folders/place.js";
import { diskTrouble } from "../folders/trouble.js";
import type { Body, Sealed } from "../model/body.js";
import { sha256Of } from "../model/canonical.js";
import type { Key, Path } from "../model/ids.js";
import { dirRetention, type Kept } from "./dir-retention.js";
import { checkKey, checkPrefix } from "./key.js";
import { parseSidecar, type Sidecar, sidecarText, versionOf } from "./sidecar.js";
import type { Store, Stored, Tags } from "./store.js";
import { keysBelow, makeFolders } from "./tree.js";
import { absent, certain, changedOnTheWay, clash, damaged, uncertain } from "./trouble.js";

/**
 * A store in a folder: the object of a key is the plain file `<dir>/<prefix>/<key>`, mode 0444, so
 * that anybody can read it and `sha256sum -c` checks it. What only a store needs to know lies in
 * `.tieout/<key>.json`; it can be lost, at the price of one hash and the tags.
 *
 * The conditional create is link(2), which no file system lets two callers win. Folders of keys are
 * made as needed and stay. A key cannot also be a folder of keys: that is STORE.
 * @param dir made when absent; on a network file system as good as its link and fsync
 */
export function directoryStore(
  dir: string,
  options: {
    readonly disk?: Disk;
    readonly prefix?: string;
    /** Milliseconds since 1970; the disk's own clock otherwise. */
    readonly clock?: () => number;
  } = {},
): Store {
  const at: Kept = {
    disk: options.disk ?? realDisk,
    root: join(dir, options.prefix ?? ""),
    settled: new Set(),
    clock: options.clock ?? null,
  };
  const head: Store["head"] = async (key, version) => {
    checkKey(key);
    const stored = await uncertain(key, () => look(at, key));
    return version === undefined || stored?.version === version ? stored : null;
  };
  return {
    create: async (key, body, tags = {}) => {
      const there = await head(key);
      return there === null ? create(at, key, body, tags) : { mine: false, stored: there };
    },
    head,
    text: async (key, version) => {
      const stored = await head(key, version);
      if (stored === null) throw absent(key);
      return uncertain(key, () => verifiedText(at, stored));
    },
    fetch: (stored, to) => fetch(at, stored, to),
    list: async (prefix) => {
      checkPrefix(prefix);
      return uncertain(prefix, () => keysBelow(at.disk, at.root, prefix));
    },
    facts: async () => ({
      kind: "dir",
      conditional_create: "link(2), which no file system lets two callers win",
      versions: false,
      retention: "recorded",
    }),
    ...dirRetention(at, head, (key) => at.disk.removeTree(sidecarPath(at, key))),
  };
}

async function create(
  at: Kept,
  key: Key,
  body: Body,
  tags: Tags,
): Promise<{ mine: boolean; stored: Stored }> {
  const { disk } = at;
  const to = join(at.root, key);
  const { temporary, sealed } = await certain(key, async () => {
    await makeFolders(disk, dirname(to), at.root, at.settled);
    return prepare(
      disk,
      to,
      (t) => fill(disk, t, body),
      (sealed) => {
        if (sealed.sha256 !== body.sha256) throw changedOnTheWay(key);
      },
    );
  });
  return uncertain(key, async () => {
    try {
      await publish(disk, temporary, to);
    } catch (e) {
      if (errno(e) !== "EEXIST") throw e;
      const there = await look(at, key);
      if (there === null) throw clash(key);
      return { mine: false, stored: there };
    }
    const { mtime_ms } = await disk.lstat(to);
    const version = versionOf(sealed.sha256);
    await remember(at, key, { ...sealed, version, mtime_ms, tags }, "replace");
    return { mine: true, stored: { key, ...sealed, version } };
  });
}

async function fill(disk: Disk, temporary: string, body: Body): Promise<void> {
  if (body.file !== undefined) await disk.copyFile(body.file, temporary);
  else await withFile(disk, temporary, "create", (file) => writeAll(file, body.open()));
}

/**
 * What is there now. `version` names the create, as remembered; the hash is of the bytes as they
 * are, remembered for as long as the file's size and time say that nobody touched it.
 */
async function look(at: Kept, key: Key): Promise<Stored | null> {
  const entry = await entryOf(at.disk, join(at.root, key));
  if (entry?.kind !== "file") return null;
  const recalled = await recall(at, key);
  const known = recalled.sidecar;
  if (known?.size_bytes === entry.size_bytes && known.mtime_ms === entry.mtime_ms) {
    const { sha256, size_bytes, version } = known;
    return { key, sha256, size_bytes, version };
  }
  return mend(at, key, entry, recalled);
}

/**
 * Hashes an object whose sidecar is missing (its creator died before writing it, perhaps before
 * syncing the folder too) or stale (somebody touched the file). Bytes that changed stay
 * unremembered.
 */
async function mend(
  at: Kept,
  key: Key,
  entry: Entry,
  { sidecar: known, there }: Recalled,
): Promise<Stored> {
  const path = join(at.root, key);
  await syncFolder(at.disk, dirname(path));
  const sealed = await at.disk.hash(path);
  const version = known?.version ?? versionOf(sealed.sha256);
  if (known === null || known.sha256 === sealed.sha256) {
    const tags = known?.tags ?? {};
    const sidecar = { ...sealed, version, mtime_ms: entry.mtime_ms, tags };
    await remember(at, key, sidecar, there ? "replace" : "when absent").catch(readOnly);
  }
  return { key, ...sealed, version };
}

/** A store that we may only read answers as well, if slower. */
function readOnly(e: unknown): void {
  if (!["EROFS", "EACCES", "EPERM"].includes(errno(e) ?? "")) throw e;
}

async function verifiedText(at: Kept, stored: Stored): Promise<string> {
  const bytes = await at.disk.readFile(join(at.root, stored.key));
  const { sidecar } = await recall(at, stored.key);
  if (sha256Of(bytes) !== (sidecar?.sha256 ?? stored.sha256)) throw damaged(stored.key);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

async function fetch(at: Kept, stored: Stored, to: Path): Promise<Sealed> {
  const { key } = stored;
  checkKey(key);
  const from = join(at.root, key);
  const entry = await uncertain(key, () => entryOf(at.disk, from));
  if (entry?.kind !== "file") throw absent(key);
  try {
    const { temporary, sealed } = await prepare(
      at.disk,
      to,
      (t) => at.disk.copyFile(from, t),
      (copied) => {
        if (copied.sha256 !== stored.sha256) throw damaged(key);
      },
    );
    await publish(at.disk, temporary, to);
    return sealed;
  } catch (e) {
    throw diskTrouble(key, e);
  }
}

function sidecarPath(at: Kept, key: Key): string {
  return join(at.root, ".tieout", `${key}.json`);
}

/** Null with `there` is a sidecar that a power cut halved. */
interface Recalled {
  readonly sidecar: Sidecar | null;
  readonly there: boolean;
}

async function recall(at: Kept, key: Key): Promise<Recalled> {
  try {
    const bytes = await at.disk.readFile(sidecarPath(at, key));
    return { sidecar: parseSidecar(Buffer.from(bytes).toString()), there: true };
  } catch (e) {
    if (errno(e) === "ENOENT") return { sidecar: null, there: false };
    throw e;
  }
}

/** The sidecar is the one file of a store that may be replaced; the creator's own always wins. */
async function remember(
  at: Kept,
  key: Key,
  sidecar: Sidecar,
  how: "replace" | "when absent",
): Promise<void> {
  const to = sidecarPath(at, key);
  await makeFolders(at.disk, dirname(to), at.root, at.settled);
  const bytes = Buffer.from(sidecarText(sidecar));
  const { temporary } = await prepare(at.disk, to, (t) =>
    withFile(at.disk, t, "create", (file) => writeAll(file, [bytes])),
  );
  if (how === "replace") return at.disk.rename(temporary, to);
  try {
    await publish(at.disk, temporary, to);
  } catch (e) {
    if (errno(e) !== "EEXIST") throw e;
  }
}

async function entryOf(disk: Disk, path: string): Promise<Entry | null> {
  try {
    return await disk.lstat(path);
  } catch (e) {
    if (errno(e) === "ENOENT" || errno(e) === "ENOTDIR") return null;
    throw e;
  }
}
