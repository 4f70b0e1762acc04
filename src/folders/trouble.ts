import { basename } from "node:path";
import { TieoutError } from "../model/errors.js";
import type { Path } from "../model/ids.js";
import { errno } from "./disk.js";

/** A path as messages say it: relative to the root, and of a file outside only its name. */
export function subjectOf(root: Path, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : basename(path);
}

/**
 * What a failed call on the disk means to a caller: EXISTS, DISK_FULL or DISK. What is no answer of
 * the disk's (a bug, or an error that already says it all) is given back as it is.
 */
export function diskTrouble(subject: string, e: unknown): unknown {
  const why = errno(e);
  if (why === null) return e;
  if (why === "EEXIST") return taken(subject, e);
  if (why === "ENOSPC" || why === "EDQUOT")
    return new TieoutError("DISK_FULL", {
      subject,
      cause: `the disk has no room left (${why})`,
      remedy: "free space on the disk of the run folders, then run the id again",
      because: e,
    });
  return new TieoutError("DISK", {
    subject,
    cause: why === "ENOENT" ? "this is not on the disk" : `the disk answered ${why}`,
    remedy: "look at the disk of the run folders, then run the id again",
    because: e,
  });
}

export function taken(subject: string, because?: unknown): TieoutError {
  return new TieoutError("EXISTS", {
    subject,
    cause: "this name is taken, and nothing is ever overwritten",
    remedy: "run the id again: a new attempt has its own names",
    because,
  });
}

/** What is on the disk is not what was to be written: a short write that nobody reported. */
export function mistaken(subject: string): TieoutError {
  return new TieoutError("DISK", {
    subject,
    cause: "what the disk holds is not what was written to it",
    remedy: "look at the disk of the run folders, then run the id again",
  });
}
