import { basename, dirname, join } from "node:path";
import type { Sealed } from "../model/body.js";
import { type Disk, errno, type OpenFile, withFile } from "./disk.js";

/**
 * How a file gets its final name whole or not at all (I002), in two halves, because a caller must
 * know on which side of the link a failure lies:
 * `prepare` makes a temporary file whole, synced, hashed and read-only; `publish` gives it its
 * name.
 */
export interface Prepared {
  readonly temporary: string;
  readonly sealed: Sealed;
}

/**
 * Fills a temporary file beside `to`, and seals it there.
 * @param fill makes the file at the path it is given, exclusively: an EEXIST asks for another name
 * @param check throws when the bytes on disk are not those that were meant
 * On failure nothing is left but, when the disk refuses that too, a temporary name that no listing
 * shows.
 */
export async function prepare(
  disk: Disk,
  to: string,
  fill: (temporary: string) => Promise<void>,
  check: (sealed: Sealed) => void = () => undefined,
): Promise<Prepared> {
  const temporary = await fillNew(to, fill, (t) => discard(disk, t));
  try {
    const sealed = await seal(disk, temporary);
    check(sealed);
    return { temporary, sealed };
  } catch (e) {
    await discard(disk, temporary);
    throw e;
  }
}

/**
 * Links the prepared file to `to` without clobber and syncs the folder. EEXIST: the name is taken.
 */
export async function publish(disk: Disk, prepared: string, to: string): Promise<void> {
  try {
    await disk.link(prepared, to);
  } catch (e) {
    await discard(disk, prepared);
    throw e;
  }
  await disk.unlink(prepared);
  await syncFolder(disk, dirname(to));
}

/** Read-only, synced and hashed, under the name it has. The hash reads while the disk syncs. */
export async function seal(disk: Disk, path: string): Promise<Sealed> {
  await disk.chmod(path, 0o444);
  const [synced, hashed] = await Promise.allSettled([
    withFile(disk, path, "read", (file) => file.sync()),
    disk.hash(path),
  ]);
  if (synced.status === "rejected") throw synced.reason;
  if (hashed.status === "rejected") throw hashed.reason;
  return hashed.value;
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(disk: Disk, dir: string): Promise<void> {
  await withFile(disk, dir, "folder", (file) => file.sync());
}

/** Every byte of every chunk, from position `at` on, however few the disk takes at a time. */
export async function writeAll(
  file: OpenFile,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  at = 0,
): Promise<void> {
  let position = at;
  for await (const chunk of chunks) {
    for (let done = 0; done < chunk.byteLength; ) {
      const written = await file.write(chunk.subarray(done), position);
      if (written === 0) throw Object.assign(new Error("nothing was written"), { code: "EIO" });
      done += written;
      position += written;
    }
  }
}

/** The bytes of a file in blocks of 1 MB. */
export async function* blocks(disk: Disk, path: string): AsyncIterable<Uint8Array> {
  const file = await disk.open(path, "read");
  try {
    for (let at = 0; ; ) {
      const block = new Uint8Array(1 << 20);
      const n = await file.read(block, at);
      if (n === 0) return;
      at += n;
      yield block.subarray(0, n);
    }
  } finally {
    await file.close();
  }
}

/** Whether a name is one of `prepare`'s: it may be half a file, and no listing shows it. */
export function isTemporary(name: string): boolean {
  return /^\..*\.tmp$/.test(name);
}

// Counted, so that no two calls of this process share a name; the exclusive create settles the
// rest.
let made = 0;

async function fillNew(
  to: string,
  fill: (temporary: string) => Promise<void>,
  undo: (temporary: string) => Promise<void>,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    const name = `.${basename(to).slice(0, 100)}.${process.pid}.${++made}.tmp`;
    const temporary = join(dirname(to), name);
    try {
      await fill(temporary);
      return temporary;
    } catch (e) {
      if (errno(e) === "EEXIST" && tries < 100) continue;
      if (errno(e) !== "EEXIST") await undo(temporary);
      throw e;
    }
  }
}

/**
 * Best effort: what is left behind has a name that no listing shows and that goes with its folder.
 */
async function discard(disk: Disk, temporary: string): Promise<void> {
  await disk.unlink(temporary).catch(() => undefined);
}
