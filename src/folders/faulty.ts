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
  code: "EIO" | "ENOSPC" | "EDQUOT" | "EMFILE" | "EACCES" = "EIO",
): Disk {
  const error = (call: string): Error => {
    const failure = new Error(`${code}: planned, at ${call}`);
    return Object.assign(failure, { code });
  };
  const open: Disk["open"] = async (path, how) => {
    let file: OpenFile | undefined;
    const effect = async (): Promise<OpenFile> => {
      file = await disk.open(path, how);
      return file;
    };
    const call = `open ${path}`;
    try {
      const opened = await faults.through(call, { effect, error: () => error(call) });
      return faultyFile(opened, path, faults, error);
    } catch (e) {
      await file?.close();
      throw e;
    }
  };
  return { ...faulty(disk, faults, { error }), open };
}

/** A close that fails closes all the same, as close(2) does, and as the end of a process does. */
function faultyFile(
  file: OpenFile,
  path: string,
  faults: Faults,
  error: (call: string) => Error,
): OpenFile {
  const half = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.byteLength >> 1);
  const told = { ...file, close: async () => undefined };
  const counted = faulty<OpenFile>(told, faults, {
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
  const close = async (): Promise<void> => {
    await file.close();
    await counted.close();
  };
  return { ...counted, close };
}
