import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Disk, OpenFile, OpenFor } from "../../src/folders/disk.js";
import type { Dice } from "../faults/turns.js";
import { unsyncedDisk } from "./unsynced.js";

/** A disk with a cache that a power cut empties. */
export interface LossyDisk {
  readonly disk: Disk;
  /**
   * What was never synced is lost, as the dice say: bytes are missing or zero, new names are gone,
   * old names are back. What was synced stays.
   */
  readonly cut: (dice: Dice) => void;
}

/** A name that its folder was not synced after. */
type Pending =
  | { readonly what: "made"; readonly path: string }
  | { readonly what: "moved"; readonly from: string; readonly path: string };

/**
 * The real disk, and the account of what of it would survive. Bytes survive once their file was
 * synced, a name once its folder was synced after it, in whatever order the calls came; removals
 * are never undone, since a name that comes back is only ever a second copy of sealed bytes.
 */
export function lossyDisk(): LossyDisk {
  const durable = new Map<number, number>(); // bytes of a file that were synced, by its inode
  let pending: Pending[] = [];
  const inodeOf = (path: string): number => statSync(path).ino;
  const dirty = (path: string): void => {
    const inode = inodeOf(path);
    if (!durable.has(inode)) durable.set(inode, 0);
  };
  const made = (path: string): void => void pending.push({ what: "made", path });
  const synced = (path: string, how: OpenFor): void => {
    if (how !== "folder") durable.set(inodeOf(path), statSync(path).size);
    else pending = pending.filter((p) => dirname(p.path) !== path);
  };
  const open: Disk["open"] = async (path, how) => {
    const isNew = how !== "folder" && !existsSync(path);
    const file = await unsyncedDisk.open(path, how);
    if (isNew) made(path);
    const account = (work: () => void) => (): void => (existsSync(path) ? work() : undefined);
    return {
      ...file,
      write: async (bytes, at) => {
        account(() => dirty(path))();
        return file.write(bytes, at);
      },
      truncate: async (size) => {
        account(() => dirty(path))();
        await file.truncate(size);
      },
      sync: async () => account(() => synced(path, how))(),
    } satisfies OpenFile;
  };
  const disk: Disk = {
    ...unsyncedDisk,
    open,
    copyFile: async (from, to) => {
      await unsyncedDisk.copyFile(from, to);
      made(to);
      dirty(to);
    },
    mkdir: async (dir) => {
      await unsyncedDisk.mkdir(dir);
      made(dir);
    },
    link: async (from, to) => {
      await unsyncedDisk.link(from, to);
      made(to);
    },
    rename: async (from, to) => {
      await unsyncedDisk.rename(from, to);
      pending.push({ what: "moved", from, path: to });
    },
  };
  const cut: LossyDisk["cut"] = (dice) => {
    for (const p of pending.reverse()) if (dice(2) === 0) undo(p);
    pending = [];
    durable.clear();
  };
  const garble = (path: string, dice: Dice): void => {
    if (!existsSync(path) || !lstatSync(path).isFile()) return;
    const { ino, size } = statSync(path);
    const kept = durable.get(ino);
    if (kept === undefined || kept >= size) return;
    chmodSync(path, 0o644);
    if (dice(2) === 0) truncateSync(path, kept + dice(size - kept));
    else
      writeFileSync(
        path,
        Buffer.concat([readFileSync(path).subarray(0, kept), Buffer.alloc(size - kept)]),
      );
    durable.set(ino, size);
  };
  return {
    disk,
    cut: (dice) => {
      for (const { path } of pending) garble(path, dice);
      cut(dice);
    },
  };
}

function undo(p: Pending): void {
  if (!existsSync(p.path)) return;
  if (p.what === "made") rmSync(p.path, { recursive: true, force: true });
  else if (!existsSync(p.from)) renameSync(p.path, p.from);
}
