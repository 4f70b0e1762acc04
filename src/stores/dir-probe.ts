import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { errno, realDisk, withFile } from "../folders/disk.js";
import { syncFolder, writeAll } from "../folders/place.js";
import { CREATE_RACE, CREATE_TWICE, type Probe } from "../model/capabilities.js";
import { makeFolders } from "./tree.js";

const RACERS = 8;
const LEAST_BYTES = 2 ** 30;

/**
 * Asks a store's folder what its file system does: one winner of a link, sync, free space. Works
 * below `.tieout/doctor` and takes it away again.
 * @param nonce names this doctor's own folder
 */
export async function probeDirectory(dir: string, nonce: string): Promise<Probe[]> {
  const room = join(dir, ".tieout", "doctor", nonce);
  const written = await answered("a folder that can be written", "it can", true, async () => {
    await makeFolders(realDisk, room, dir);
    return { found: "it can", holds: true };
  });
  if (!written.holds) return [written];
  try {
    return [written, ...(await probes(room))];
  } finally {
    await realDisk.removeTree(room).catch(() => undefined);
  }
}

async function probes(room: string): Promise<Probe[]> {
  const file = async (name: string): Promise<string> => {
    const path = join(room, name);
    await withFile(realDisk, path, "create", (f) => writeAll(f, [Buffer.from(name)]));
    return path;
  };
  const linked = (from: string, to: string): Promise<string> =>
    realDisk.link(from, join(room, to)).then(
      () => "made",
      (e) => errno(e) ?? "no answer",
    );
  return [
    await answered(CREATE_TWICE, "EEXIST", true, async () => {
      const from = await file("twice.tmp");
      await linked(from, "twice");
      const found = await linked(from, "twice");
      return { found, holds: found === "EEXIST" };
    }),
    await answered(CREATE_RACE, "1 winner", true, async () => {
      const files = await Promise.all(
        Array.from({ length: RACERS }, (_, i) => file(`racer-${i}.tmp`)),
      );
      const all = await Promise.all(files.map((from) => linked(from, "race")));
      const won = all.filter((said) => said === "made").length;
      return { found: won === 1 ? "1 winner" : `${won} winners`, holds: won === 1 };
    }),
    await answered("a file and its folder synced", "synced", true, async () => {
      const path = await file("synced");
      await withFile(realDisk, path, "read", (f) => f.sync());
      await syncFolder(realDisk, room);
      return { found: "synced", holds: true };
    }),
    await answered("free space", "1 GiB or more", false, async () => {
      const { bavail, bsize } = await statfs(room);
      const free = bavail * bsize;
      return { found: `${Math.floor(free / 2 ** 20)} MiB`, holds: free >= LEAST_BYTES };
    }),
  ];
}

async function answered(
  probe: string,
  expected: string,
  needed: boolean,
  run: () => Promise<Pick<Probe, "found" | "holds">>,
): Promise<Probe> {
  try {
    return { probe, expected, needed, ...(await run()) };
  } catch (e) {
    const why = errno(e);
    if (why === null) throw e;
    return { probe, expected, needed, found: why, holds: false };
  }
}
