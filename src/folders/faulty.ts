import { TieoutError } from "../model/errors.js";
import { type Faults, faulty } from "../model/fault.js";
import type { Path } from "../model/ids.js";
import type { Disk, OpenFile } from "./disk.js";
import type { Folder } from "./folder.js";

/**
 * A folder whose calls fail as planned.
 * @param tear leaves the first bytes of an appended line behind without its line end, as a crash
 * does
 */
export function faultyFolder(
  folder: Folder,
  faults: Faults,
  tear?: (path: Path, part: string) => Promise<void>,
): Folder {
  const torn: Partial<Folder> =
    tear === undefined
      ? {}
      : { append: (path, line) => tear(path, line.slice(0, Math.ceil(line.length / 2))) };
  return faulty(folder, faults, {
    passes: ["body"],
    torn,
    error: (call) =>
      new TieoutError("DISK", {
        subject: call,
        cause: "a planned fault: the disk answered EIO",
        remedy: "run the id again",
      }),
  });
}

/**
 * A disk whose calls, those on its open files too, fail as planned with Node's own error.
 * Torn: a write leaves its first half behind and throws. Lie: a write takes half and says all, a
 * sync does nothing and says that it did.
 */
export function faultyDisk(
  disk: Disk,
  faults: Faults,
  code: "EIO" | "ENOSPC" | "EMFILE" | "EACCES" = "EIO",
): Disk {
  const error = (call: string): Error => {
    const failure = new Error(`${code}: planned, at ${call}`);
    return Object.assign(failure, { code });
  };
  const counted = faulty(disk, faults, { error });
  const open: Disk["open"] = async (path, how) => {
    const file = await counted.open(path, how);
    const half = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.byteLength >> 1);
    return faulty<OpenFile>(file, faults, {
      error,
      subject: path,
      torn: { write: (bytes, at) => file.write(half(bytes), at) },
      lie: {
        write: async (bytes, at) => {
          await file.write(half(bytes), at);
          return bytes.byteLength;
        },
        sync: async () => undefined,
      },
    });
  };
  return { ...counted, open };
}
