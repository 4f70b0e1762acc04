import { dirname } from "node:path";
import type { Sealed } from "../model/body.js";
import { sha256Of } from "../model/canonical.js";
import { TieoutError } from "../model/errors.js";
import type { Path } from "../model/ids.js";
import { byBytes } from "./disk.js";
import type { Folder } from "./folder.js";
import { textOf } from "./text.js";
import { subjectOf, taken } from "./trouble.js";

/**
 * A folder in memory, and the way in for what stands beside it on a real disk: an engine, a store.
 */
export interface MemoryFolder extends Folder {
  /** The bytes of a file, null when there is none. */
  readonly read: (path: string) => Uint8Array | null;
  /**
   * Puts a file as an engine (draft) or a store (sealed) would, in a folder that was made.
   * @throws EXISTS over a sealed file, DISK where the folder is missing
   */
  readonly put: (path: string, bytes: Uint8Array, as?: "draft" | "sealed") => void;
}

interface File {
  readonly bytes: Uint8Array;
  readonly sealed: boolean;
}

interface Held {
  readonly files: Map<string, File>;
  readonly folders: Set<string>;
}

/**
 * The contract of `Folder` in memory, for tests of what lies above it. Every folder from `root` on
 * down must be made; what lies above `root` is taken to exist.
 * @param outside reads a file outside the root, such as a memory source's
 */
export function memoryFolder(
  root: Path,
  outside: (path: string) => Uint8Array | null = () => null,
): MemoryFolder {
  const held: Held = { files: new Map(), folders: new Set() };
  const { files, folders } = held;
  const exists = (dir: string): boolean => folders.has(dir) || !isBelow(root, dir);
  const fail = (path: string, cause: string): TieoutError =>
    new TieoutError("DISK", {
      subject: subjectOf(root, path),
      cause,
      remedy: "run the id again: a new attempt makes its own folders",
    });
  const read = (path: string): Uint8Array | null => files.get(path)?.bytes ?? outside(path);
  const mustRead = (path: string): Uint8Array => {
    const bytes = read(path);
    if (bytes === null) throw fail(path, "this is not on the disk");
    return bytes;
  };
  const put: MemoryFolder["put"] = (path, bytes, as = "draft") => {
    if (!exists(dirname(path))) throw fail(path, "its folder is not on the disk");
    const there = files.get(path);
    if (folders.has(path) || there?.sealed || (there !== undefined && as === "sealed"))
      throw taken(subjectOf(root, path));
    files.set(path, { bytes, sealed: as === "sealed" });
  };
  const place = (path: string, bytes: Uint8Array): Sealed => {
    put(path, bytes, "sealed");
    return sealedOf(bytes);
  };
  return {
    read,
    put,
    make: async (dir) => {
      if (!exists(dirname(dir))) throw fail(dir, "its parent is not on the disk");
      if (files.has(dir)) throw taken(subjectOf(root, dir));
      folders.add(dir);
    },
    write: async (to, text) => place(to, Buffer.from(text)),
    copy: async (from, to) => place(to, Uint8Array.from(mustRead(from))),
    seal: async (draft, to) => {
      const sealed = place(to, mustRead(draft));
      files.delete(draft);
      return sealed;
    },
    hash: async (path) => sealedOf(mustRead(path)),
    text: async (path) => textOf(mustRead(path), subjectOf(root, path)),
    append: async (path, line) => put(path, appended(files.get(path)?.bytes ?? [], line)),
    list: async (dir) => namesIn(held, dir),
    body: (path, sealed) => ({ ...sealed, open: () => once(() => mustRead(path)) }),
    remove: async (dir) => remove(held, dir),
    prune: async (dir, max_bytes) => prune(held, dir, max_bytes),
  };
}

function appended(before: Uint8Array | [], line: string): Uint8Array {
  if (line.includes("\n")) throw new Error("an appended line holds no line end");
  const bytes = Buffer.from(before);
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
  return Buffer.concat([whole, Buffer.from(`${line}\n`)]);
}

async function* once(read: () => Uint8Array): AsyncIterable<Uint8Array> {
  yield read();
}

function namesIn({ files, folders }: Held, dir: string): string[] {
  return [...files.keys(), ...folders]
    .filter((path) => dirname(path) === dir)
    .map((path) => path.slice(dir.length + 1))
    .sort(byBytes);
}

function remove({ files, folders }: Held, dir: string): void {
  for (const path of [...files.keys(), ...folders]) {
    if (!isBelow(dir, path) && !isBelow(`${dir}.gone`, path)) continue;
    files.delete(path);
    folders.delete(path);
  }
}

/** A map remembers the order in which its files came. */
function prune({ files }: Held, dir: string, max_bytes: number): void {
  const there = [...files].filter(([path]) => dirname(path) === dir);
  let left = there.reduce((sum, [, { bytes }]) => sum + bytes.byteLength, 0);
  for (const [path, { bytes }] of there) {
    if (left <= max_bytes) return;
    files.delete(path);
    left -= bytes.byteLength;
  }
}

function isBelow(dir: string, path: string): boolean {
  return path === dir || path.startsWith(`${dir}/`);
}

function sealedOf(bytes: Uint8Array): Sealed {
  return { sha256: sha256Of(bytes), size_bytes: bytes.byteLength };
}
