import type { Body, Sealed } from "../model/body.js";
import type { Outside, Path } from "../model/ids.js";

/**
 * The local disk of a run. A name appears whole or not at all: bytes go to a temporary name in the
 * same folder, are synced, linked without clobber, and the folder is synced (I002). Sealed files
 * have mode 0444. Hashing reads 1 MB blocks in a worker thread, so that heartbeats do not stop.
 *
 * What a caller may assume: a call that threw left nothing under the final name, or the whole file
 * (the caller may look). What it may not: that a call that threw DISK did nothing.
 * Errors: EXISTS when the name is taken, DISK_FULL for ENOSPC and EDQUOT, DISK for the rest, each
 * with the name relative to the run's root as subject.
 */
export interface Folder {
  /**
   * Makes a folder whose parent exists; an existing one is fine. Of a run's folders, only claim
   * does.
   */
  readonly make: (dir: Path) => Promise<void>;
  /**
   * Writes text as a sealed file. What is on disk is read back and compared.
   * @throws EXISTS, DISK, DISK_FULL
   */
  readonly write: (to: Path, text: string) => Promise<Sealed>;
  /**
   * Copies or reflinks, never hard-links (I003), then hashes the copy.
   * @throws EXISTS, DISK, DISK_FULL
   */
  readonly copy: (from: Outside | Path, to: Path) => Promise<Sealed>;
  /** Syncs, hashes, makes read-only and moves a draft to its final name. @throws EXISTS, DISK */
  readonly seal: (draft: Path, to: Path) => Promise<Sealed>;
  readonly hash: (path: Path) => Promise<Sealed>;
  /** Whole text of a small file of ours. @throws DISK */
  readonly text: (path: Path) => Promise<string>;
  /**
   * Appends one line; a torn last line (no line end) is cut first; synced. The folder must exist.
   */
  readonly append: (path: Path, line: string) => Promise<void>;
  /**
   * Names in a folder, sorted by bytes; [] only where the folder does not exist, other errors
   * throw.
   */
  readonly list: (dir: Path) => Promise<string[]>;
  readonly body: (path: Path, sealed: Sealed) => Body;
  /**
   * Renames to `<dir>.gone`, then removes that; an earlier `.gone` is removed too. Absent is fine.
   */
  readonly remove: (dir: Path) => Promise<void>;
  /**
   * Removes files of a folder, the oldest first, until at most `max_bytes` are left in it. For
   * caches: a file that vanishes meanwhile is fine, and so is an absent folder.
   */
  readonly prune: (dir: Path, max_bytes: number) => Promise<void>;
}
