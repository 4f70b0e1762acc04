import { TieoutError } from "../model/errors.js";

/** Runs what touches files; an answer of the disk's becomes DISK or DISK_FULL about `subject`. */
export async function onDisk<T>(subject: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (e) {
    const why = e instanceof Error && "code" in e && "syscall" in e ? String(e.code) : null;
    if (e instanceof TieoutError || why === null) throw e;
    const full = why === "ENOSPC" || why === "EDQUOT";
    throw new TieoutError(full ? "DISK_FULL" : "DISK", {
      subject,
      cause: full ? `the disk has no room left (${why})` : `the disk answered ${why}`,
      remedy: full
        ? "free space on the disk of the run folders, then run the id again"
        : "look at the disk of the run folders, then run the id again",
      because: e,
    });
  }
}
