import { basename, dirname, join } from "node:path";
import type { Sealed } from "../model/body.js";
import { sha256Of } from "../model/canonical.js";
import { TieoutError } from "../model/errors.js";
import type { Path } from "../model/ids.js";
import { type Disk, type Entry, errno, type OpenFile, realDisk, withFile } from "./disk.js";
import type { Folder } from "./folder.js";
import { blocks, isTemporary, prepare, publish, seal, syncFolder, writeAll } from "./place.js";
import { textOf } from "./text.js";
import { diskTrouble, mistaken, subjectOf } from "./trouble.js";

const encoder = new TextEncoder();

/**
 * The folder on the local disk.
 * @param root absolute; run folders lie below it, and messages name files relative to it
 * @param options.disk the calls it makes, for fault loops; Node's own by default
 */
export function localFolder(root: Path, options: { readonly disk?: Disk } = {}): Folder {
  const disk = options.disk ?? realDisk;
  const on = async <T>(path: Path, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (e) {
      throw diskTrouble(subjectOf(root, path), e);
    }
  };
  const place = (
    to: Path,
    fill: (temporary: string) => Promise<void>,
    check?: (sealed: Sealed) => void,
  ): Promise<Sealed> =>
    on(to, async () => {
      const { temporary, sealed } = await prepare(disk, to, fill, check);
      await publish(disk, temporary, to);
      return sealed;
    });
  return {
    make: (dir) => on(dir, () => makeFolder(disk, dir)),
    write: (to, text) => {
      const bytes = encoder.encode(text);
      const meant = sha256Of(bytes);
      return place(
        to,
        (t) => withFile(disk, t, "create", (file) => writeAll(file, [bytes])),
        (sealed) => {
          if (sealed.sha256 !== meant) throw mistaken(subjectOf(root, to));
        },
      );
    },
    copy: (from, to) =>
      place(to, async (t) => {
        await mustBeFile(disk, from);
        await disk.copyFile(from, t);
      }),
    seal: (draft, to) =>
      on(to, async () => {
        await mustBeFile(disk, draft);
        const sealed = await seal(disk, draft);
        await moveSealed(disk, draft, to);
        return sealed;
      }),
    hash: (path) => on(path, () => disk.hash(path)),
    text: (path) => on(path, async () => textOf(await disk.readFile(path), subjectOf(root, path))),
    append: (path, line) => on(path, () => appendLine(disk, path, line)),
    list: (dir) => on(dir, () => namesIn(disk, dir)),
    body: (path, sealed) => ({ ...sealed, file: path, open: () => blocks(disk, path) }),
    remove: (dir) => on(dir, () => removeFolder(disk, dir)),
    prune: (dir, max_bytes) => on(dir, () => prune(disk, dir, max_bytes)),
  };
}

/** Synced into its parent; one that is already there is fine. */
async function makeFolder(disk: Disk, dir: string): Promise<void> {
  try {
    await disk.mkdir(dir);
  } catch (e) {
    if (errno(e) !== "EEXIST" || (await disk.lstat(dir)).kind !== "folder") throw e;
  }
  await syncFolder(disk, dirname(dir));
}

/** A link is refused, not followed: what it points at is not what was declared. */
async function mustBeFile(disk: Disk, path: string): Promise<void> {
  const { kind } = await disk.lstat(path);
  if (kind !== "file")
    throw new TieoutError("DISK", {
      subject: basename(path),
      cause: `this is no regular file but a ${kind}`,
      remedy: "put the file itself there",
    });
}

/** A draft keeps its name until it has its final one, and loses it only then. */
async function moveSealed(disk: Disk, draft: string, to: string): Promise<void> {
  await disk.link(draft, to);
  await syncFolder(disk, dirname(to));
  await disk.unlink(draft);
  if (dirname(draft) !== dirname(to)) await syncFolder(disk, dirname(draft));
}

async function appendLine(disk: Disk, path: string, line: string): Promise<void> {
  if (line.includes("\n")) throw new Error("an appended line holds no line end");
  const isNew = await withFile(disk, path, "edit", async (file) => {
    const size = await file.size();
    const whole = await endOfLastLine(file, size);
    if (whole < size) await file.truncate(whole);
    await writeAll(file, [encoder.encode(`${line}\n`)], whole);
    await file.sync();
    return size === 0;
  });
  if (isNew) await syncFolder(disk, dirname(path));
}

/** Where the last line end lies, plus one: what follows is the torn tail of a write that died. */
async function endOfLastLine(file: OpenFile, size: number): Promise<number> {
  const block = new Uint8Array(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.byteLength);
    const n = await file.read(block.subarray(0, end - start), start);
    const at = block.subarray(0, n).lastIndexOf(0x0a);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

async function namesIn(disk: Disk, dir: string): Promise<string[]> {
  const entries = (await unlessGone(disk.readdir(dir))) ?? [];
  return entries.map((e) => e.name).filter((name) => !isTemporary(name));
}

/** The rename takes all names away at once: whoever looks sees a whole folder or none. */
async function removeFolder(disk: Disk, dir: string): Promise<void> {
  const gone = `${dir}.gone`;
  await disk.removeTree(gone);
  await unlessGone(disk.rename(dir, gone));
  await unlessGone(syncFolder(disk, dirname(dir)));
  await disk.removeTree(gone);
}

async function prune(disk: Disk, dir: string, max_bytes: number): Promise<void> {
  const files: { path: string; entry: Entry }[] = [];
  for (const name of await namesIn(disk, dir)) {
    const path = join(dir, name);
    const entry = await unlessGone(disk.lstat(path));
    if (entry?.kind === "file") files.push({ path, entry });
  }
  files.sort((a, b) => a.entry.mtime_ms - b.entry.mtime_ms);
  let bytes = files.reduce((sum, { entry }) => sum + entry.size_bytes, 0);
  for (const { path, entry } of files) {
    if (bytes <= max_bytes) return;
    await unlessGone(disk.unlink(path));
    bytes -= entry.size_bytes;
  }
}

/** Null where the name is gone already. */
async function unlessGone<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (e) {
    if (errno(e) === "ENOENT") return null;
    throw e;
  }
}
