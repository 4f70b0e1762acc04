import type { Effects } from "../effects.js";
import { isTieout } from "../model/errors.js";
import type { Path } from "../model/ids.js";
import { cached, cacheFolder } from "../model/layout.js";
import type { StoredDoc } from "../model/records.js";
import { fetchKept } from "./committed.js";

type Needs = Pick<Effects, "store" | "folder" | "root">;

/** What the read cache may hold before the oldest files go: 4 GiB. */
const CACHE_MAX_BYTES = 4 * 1024 ** 3;

/**
 * A kept file on this disk: fetched once into a bounded cache named by SHA-256, hashed on the way
 * in and again whenever it is found there (I003).
 * @throws DAMAGED when the store lost it or has other bytes than the receipt's, UNKNOWN, DISK
 */
export async function fetchCached(doc: StoredDoc, fx: Needs): Promise<Path> {
  const path = cached(fx.root, doc.sha256);
  await makeCache(fx);
  if (await isCached(path, doc.sha256, fx)) return path;
  await fx.folder.prune(cacheFolder(fx.root), Math.max(0, CACHE_MAX_BYTES - doc.size_bytes));
  try {
    await fetchKept(doc, path, fx);
  } catch (e) {
    // Another reader may have fetched it meanwhile; what it left is checked like any other.
    if (!isTieout(e, "EXISTS") || !(await isCached(path, doc.sha256, fx))) throw e;
  }
  return path;
}

export async function makeCache(fx: Pick<Effects, "folder" | "root">): Promise<void> {
  await fx.folder.make(fx.root);
  await fx.folder.make(cacheFolder(fx.root));
}

async function isCached(path: Path, sha256: string, fx: Needs): Promise<boolean> {
  const names = await fx.folder.list(cacheFolder(fx.root));
  if (!names.includes(sha256)) return false;
  if ((await fx.folder.hash(path)).sha256 === sha256) return true;
  await fx.folder.remove(path);
  return false;
}
