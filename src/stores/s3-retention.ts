import type { Key } from "../model/ids.js";
import { checkKey } from "./key.js";
import { assertRemovable, extended, readRecorded, record } from "./recorded.js";
import { type Bucket, object, sdk } from "./s3-client.js";
import type { Creating } from "./s3-create.js";
import { extendLock, readLock, setHold } from "./s3-lock.js";
import { asked, head } from "./s3-read.js";
import { numberedIn, recordedNames } from "./s3-recorded.js";
import { serverVersion } from "./s3-version.js";
import type { Retains, Retention, Stored } from "./store.js";
import { absent, storeUnknown } from "./trouble.js";

/** What of a store is about time: its clock, and what may not be removed before when. */
export function retaining(how: Creating): Retains {
  const { bucket, lock } = how;
  const there = async ({ key, version }: Stored): Promise<void> => {
    checkKey(key);
    if ((await head(bucket, key, version)) === null) throw absent(key);
  };
  const read = (stored: Stored): Promise<Retention> =>
    lock === null
      ? readRecorded(stored.key, numberedIn(how, stored))
      : readLock(bucket, lock, stored);
  return {
    now: () => clockOf(bucket),
    retention: async (stored) => {
      await there(stored);
      return read(stored);
    },
    retain: async (stored, until) => {
      await there(stored);
      if (lock !== null) return extendLock(bucket, lock, stored, until);
      return record(stored.key, numberedIn(how, stored), extended(until));
    },
    hold: async (stored, on) => {
      await there(stored);
      if (lock !== null) return setHold(bucket, lock, stored, on);
      return record(stored.key, numberedIn(how, stored), (now) => ({ ...now, held: on }));
    },
    remove: async (stored) => {
      checkKey(stored.key);
      if ((await head(bucket, stored.key, stored.version)) === null) return;
      assertRemovable(stored.key, await read(stored), await clockOf(bucket));
      await removeVersion(bucket, stored.key, serverVersion(stored.version));
      if (lock !== null) return;
      for (const name of await recordedNames(bucket, stored))
        await removeVersion(bucket, name as Key, undefined);
    },
  };
}

/** The date of an answer to a cheap question; the object that it asks for is never there. */
async function clockOf(bucket: Bucket): Promise<number> {
  await head(bucket, ".tieout/clock" as Key);
  const said = bucket.said();
  if (said === null) throw storeUnknown("the store's clock", "its answers carry no date");
  return said;
}

/** A bucket with versions is always told which one: without, it would only hide the object. */
async function removeVersion(bucket: Bucket, key: Key, id: string | undefined): Promise<void> {
  const command = new sdk.DeleteObjectCommand(object(bucket, key, id));
  await asked(bucket, key, (abortSignal) => bucket.client.send(command, { abortSignal }));
}
