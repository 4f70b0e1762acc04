import { constants, type Dirent, promises as fs, type Stats } from "node:fs";
import type { Sealed } from "../model/body.js";
import { hashFile } from "./hash.js";

/** An open file. Positions and lengths are in bytes. */
export interface OpenFile {
  /** How many bytes were read; 0 at the end of the file. */
  readonly read: (into: Uint8Array, at: number) => Promise<number>;
  /** How many bytes were written, which may be fewer than given. */
  readonly write: (bytes: Uint8Array, at: number) => Promise<number>;
  readonly size: () => Promise<number>;
  readonly truncate: (size: number) => Promise<void>;
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What a name on the disk is, itself: a link is a link. */
export type Kind = "file" | "folder" | "link" | "other";
export interface Named {
  readonly name: string;
  readonly kind: Kind;
}
export interface Entry {
  readonly kind: Kind;
  readonly size_bytes: number;
  readonly mtime_ms: number;
}

/**
 * - read: an existing file, never through a link
 * - create: a new file; fails when the name is taken, by a dangling link too
 * - edit: read and write, made when absent, never through a link
 * - folder: to sync its names
 */
export type OpenFor = "read" | "create" | "edit" | "folder";

/**
 * Every call that folders, the directory store and sources make on the file system, so that a fault
 * loop can fail each of them in turn. Fails with Node's own errors: `code` says why.
 */
export interface Disk {
  readonly open: (path: string, how: OpenFor) => Promise<OpenFile>;
  /** A new file with the same bytes: a reflink where the file system has them, else a copy. */
  readonly copyFile: (from: string, to: string) => Promise<void>;
  readonly readFile: (path: string) => Promise<Uint8Array>;
  /** SHA-256 of a file's bytes, off the main thread when it is large; never through a link. */
  readonly hash: (path: string) => Promise<Sealed>;
  readonly lstat: (path: string) => Promise<Entry>;
  readonly realpath: (path: string) => Promise<string>;
  /** Names, sorted by their bytes. */
  readonly readdir: (dir: string) => Promise<Named[]>;
  readonly mkdir: (dir: string) => Promise<void>;
  readonly chmod: (path: string, mode: number) => Promise<void>;
  /** A second name for a file; fails when the name is taken. */
  readonly link: (from: string, to: string) => Promise<void>;
  readonly unlink: (path: string) => Promise<void>;
  /** Replaces a file of the new name. */
  readonly rename: (from: string, to: string) => Promise<void>;
  /** A folder and all below it, links as links; absent is fine. */
  readonly removeTree: (dir: string) => Promise<void>;
}

const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_DIRECTORY } = constants;
const FLAGS: Readonly<Record<OpenFor, number>> = {
  read: O_RDONLY | O_NOFOLLOW,
  create: O_WRONLY | O_CREAT | O_EXCL,
  edit: O_RDWR | O_CREAT | O_NOFOLLOW,
  folder: O_RDONLY | O_DIRECTORY,
};

export const realDisk: Disk = {
  open: async (path, how) => openFile(await fs.open(path, FLAGS[how], 0o644)),
  copyFile: (from, to) =>
    fs.copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE),
  readFile: (path) => fs.readFile(path, { flag: FLAGS.read }),
  hash: hashFile,
  lstat: async (path) => {
    const s = await fs.lstat(path);
    return { kind: kindOf(s), size_bytes: s.size, mtime_ms: s.mtimeMs };
  },
  realpath: (path) => fs.realpath(path),
  readdir: async (dir) =>
    (await fs.readdir(dir, { withFileTypes: true }))
      .map((e) => ({ name: e.name, kind: kindOf(e) }))
      .sort((a, b) => byBytes(a.name, b.name)),
  mkdir: async (dir) => fs.mkdir(dir, 0o755),
  chmod: (path, mode) => fs.chmod(path, mode),
  link: (from, to) => fs.link(from, to),
  unlink: (path) => fs.unlink(path),
  rename: (from, to) => fs.rename(from, to),
  removeTree: (dir) => fs.rm(dir, { recursive: true, force: true }),
};

function kindOf(e: Stats | Dirent): Kind {
  if (e.isFile()) return "file";
  if (e.isDirectory()) return "folder";
  return e.isSymbolicLink() ? "link" : "other";
}

function openFile(handle: fs.FileHandle): OpenFile {
  return {
    read: async (into, at) => (await handle.read(into, 0, into.byteLength, at)).bytesRead,
    write: async (bytes, at) => (await handle.write(bytes, 0, bytes.byteLength, at)).bytesWritten,
    size: async () => (await handle.stat()).size,
    truncate: (size) => handle.truncate(size),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

/** Opens, uses and always closes; the first failure is the one that is thrown. */
export async function withFile<T>(
  disk: Disk,
  path: string,
  how: OpenFor,
  use: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const file = await disk.open(path, how);
  let answer: T;
  try {
    answer = await use(file);
  } catch (e) {
    await file.close().catch(() => undefined);
    throw e;
  }
  await file.close();
  return answer;
}

/** Why a call on the disk failed, such as ENOENT; null for what is no answer of the disk's. */
export function errno(e: unknown): string | null {
  if (!(e instanceof Error) || !("code" in e) || typeof e.code !== "string") return null;
  return /^E[A-Z0-9]+$/.test(e.code) ? e.code : null;
}

/** The order of UTF-8 bytes, which is not that of JavaScript's code units. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
