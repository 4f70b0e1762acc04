import { dirname, join } from "node:path";
import { type Disk, errno, withFile } from "../folders/disk.js";
import { prepare, publish, syncFolder, writeAll } from "../folders/place.js";
import { sha256Of } from "../model/canonical.js";
import type { Key } from "../model/ids.js";
import { checkKey } from "./key.js";
import { assertRemovable, extended, type Numbered, readRecorded, record } from "./recorded.js";
import type { Retains, Store, Stored } from "./store.js";
import { makeFolders } from "./tree.js";
import { absent, certain, changedOnTheWay, uncertain } from "./trouble.js";

/** Where a directory store keeps what it keeps. */
export interface Kept {
  readonly disk: Disk;
  readonly root: string;
  readonly settled: Set<string>;
  /** Milliseconds since 1970; null: the clock of the disk, by a file that is made and looked at. */
  readonly clock: (() => number) | null;
}

/**
 * Retention in a folder: documents below `.retention/<key>/<version>/`, each linked once under its
 * number. Whoever may write the folder can remove both; what a purge takes is also decided by the
 * manifest and the run's ledger.
 * @param forget removes what else is remembered of an object
 */
export function dirRetention(
  at: Kept,
  head: Store["head"],
  forget: (key: Key) => Promise<void>,
): Retains {
  const there = async ({ key, version }: Stored): Promise<void> => {
    checkKey(key);
    if ((await head(key, version)) === null) throw absent(key);
  };
  const change = async (stored: Stored, how: Parameters<typeof record>[2]) => {
    await there(stored);
    return uncertain(stored.key, () => record(stored.key, numberedIn(at, stored), how));
  };
  const retention: Retains["retention"] = async (stored) => {
    await there(stored);
    return uncertain(stored.key, () => readRecorded(stored.key, numberedIn(at, stored)));
  };
  const now = (): Promise<number> => uncertain("the store's clock", () => clockOf(at));
  return {
    now,
    retention,
    retain: (stored, until) => change(stored, extended(until)),
    hold: (stored, on) => change(stored, (now) => ({ ...now, held: on })),
    remove: async (stored) => {
      checkKey(stored.key);
      const path = join(at.root, stored.key);
      if ((await head(stored.key, stored.version)) !== null) {
        assertRemovable(stored.key, await retention(stored), await now());
        await certain(stored.key, () => at.disk.unlink(path));
      } else if ((await head(stored.key)) !== null) return;
      await uncertain(stored.key, async () => {
        await syncFolder(at.disk, dirname(path)).catch(unlessGone);
        await forget(stored.key);
        await at.disk.removeTree(placeOf(at, stored));
      });
    },
  };
}

/** A removal that was cut short is finished, and of an object that never was nothing is there. */
function unlessGone(e: unknown): void {
  if (errno(e) !== "ENOENT") throw e;
}

function placeOf(at: Kept, { key, version }: Stored): string {
  return join(at.root, ".retention", key, version);
}

function numberedIn(at: Kept, stored: Stored): Numbered {
  const { disk } = at;
  const place = placeOf(at, stored);
  const nameOf = (n: number): string => join(place, `${String(n).padStart(6, "0")}.json`);
  return {
    numbers: async () => {
      const names = await disk.readdir(place).catch((e) => {
        if (errno(e) === "ENOENT") return [];
        throw e;
      });
      return names.flatMap(({ name }) =>
        /^\d{6}\.json$/.test(name) ? [Number.parseInt(name, 10)] : [],
      );
    },
    text: async (n) => Buffer.from(await disk.readFile(nameOf(n))).toString(),
    create: async (n, text) => {
      await makeFolders(disk, place, at.root, at.settled);
      const bytes = Buffer.from(text);
      const { temporary } = await prepare(
        disk,
        nameOf(n),
        (t) => withFile(disk, t, "create", (file) => writeAll(file, [bytes])),
        ({ sha256 }) => {
          if (sha256 !== sha256Of(bytes)) throw changedOnTheWay(stored.key);
        },
      );
      try {
        await publish(disk, temporary, nameOf(n));
        return true;
      } catch (e) {
        if (errno(e) === "EEXIST") return false;
        throw e;
      }
    },
  };
}

/** The time that the disk gives a new file: of a network disk, its server's. */
async function clockOf(at: Kept): Promise<number> {
  if (at.clock !== null) return at.clock();
  await makeFolders(at.disk, at.root, at.root, at.settled);
  const { temporary } = await prepare(at.disk, join(at.root, ".clock"), (t) =>
    withFile(at.disk, t, "create", async () => undefined),
  );
  const { mtime_ms } = await at.disk.lstat(temporary);
  await at.disk.unlink(temporary);
  return Math.floor(mtime_ms);
}
