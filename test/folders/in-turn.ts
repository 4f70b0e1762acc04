import type { Disk, OpenFile } from "../../src/folders/disk.js";

/**
 * A disk that does one call at a time, in the order in which they were made. Whoever asks next is
 * then decided by the code alone and not by which call of several comes back first: the Nth call of
 * a walk is the same call each time, though a stage has several files under way.
 */
export function inTurn(disk: Disk): Disk {
  let last: Promise<unknown> = Promise.resolve();
  const queued = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => {
      const next = last.then(() => call(...args));
      last = next.catch(() => undefined);
      return next;
    };
  };
  const file = (f: OpenFile): OpenFile => ({
    read: queued(f.read),
    write: queued(f.write),
    size: queued(f.size),
    truncate: queued(f.truncate),
    sync: queued(f.sync),
    close: queued(f.close),
  });
  return {
    open: queued(async (path, how) => file(await disk.open(path, how))),
    copyFile: queued(disk.copyFile),
    readFile: queued(disk.readFile),
    hash: queued(disk.hash),
    lstat: queued(disk.lstat),
    realpath: queued(disk.realpath),
    readdir: queued(disk.readdir),
    mkdir: queued(disk.mkdir),
    chmod: queued(disk.chmod),
    link: queued(disk.link),
    unlink: queued(disk.unlink),
    rename: queued(disk.rename),
    removeTree: queued(disk.removeTree),
  };
}
