import { type Disk, realDisk } from "../../src/folders/disk.js";

/** The real disk without its waits: fault loops lose no power, they only count the calls. */
export const unsyncedDisk: Disk = {
  ...realDisk,
  open: async (path, how) => ({ ...(await realDisk.open(path, how)), sync: async () => undefined }),
};
