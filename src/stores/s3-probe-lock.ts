import { sdk } from "./s3-client.js";
import type { Lock } from "./s3-lock.js";
import { named, put, type Question, type Room, refusedBy } from "./s3-probe-room.js";
import type { State } from "./s3-probe-versions.js";

const LOCK_MS = 5_000;
/** Locks end at whole seconds, and clocks differ a little. */
const AFTER_MS = 2_500;

/** That a lock binds; needed where the configuration asks for one. */
export function lockProbes(room: Room, { lockable }: State, lock: Lock | null): Question[] {
  if (!lockable) return lock === null ? [] : [missing(lock)];
  const needed = lock !== null;
  const locked = once(() => putLocked(room));
  const { client } = room.bucket;
  return [
    {
      probe: "a delete of what is locked",
      expected: "403",
      needed,
      run: async () => {
        const at = await locked();
        return refusedBy(() => client.send(new sdk.DeleteObjectCommand(at)));
      },
    },
    {
      probe: "a shorter lock",
      expected: "403",
      needed,
      run: async () => {
        const at = await locked();
        return refusedBy(() => relock(room, at, "COMPLIANCE", clock(room) + 1_000));
      },
    },
    {
      probe: "a weaker mode of the lock",
      expected: "403",
      needed,
      run: async () => {
        const at = await locked();
        return refusedBy(() => relock(room, at, "GOVERNANCE", clock(room) + 2 * LOCK_MS));
      },
    },
    {
      probe: "a longer lock, read back",
      expected: "the later date",
      needed,
      run: async () => {
        const at = await locked();
        const until = Math.ceil((clock(room) + LOCK_MS + 1_000) / 1000) * 1000;
        await relock(room, at, "COMPLIANCE", until);
        const { Retention } = await client.send(new sdk.GetObjectRetentionCommand(at));
        const kept = Retention?.RetainUntilDate?.getTime() ?? 0;
        return { found: kept >= until ? "the later date" : "another date", holds: kept >= until };
      },
    },
    {
      probe: "a delete after the lock has ended",
      expected: "200",
      needed: false,
      run: async () => {
        const at = await locked();
        await new Promise<void>((wake) =>
          room.bucket.timing.after(LOCK_MS + 1_000 + AFTER_MS, wake),
        );
        const { holds, found } = await refusedBy(() =>
          client.send(new sdk.DeleteObjectCommand(at)),
        );
        return { found: holds ? found : "200", holds: !holds };
      },
    },
  ];
}

function missing({ mode }: Lock): Question {
  return {
    probe: "Object Lock as configured",
    expected: mode,
    needed: true,
    run: async () => ({ found: "this bucket has no Object Lock", holds: false }),
  };
}

interface Version {
  readonly Bucket: string;
  readonly Key: string;
  readonly VersionId?: string;
}

/** An object of this room under a lock of five seconds that even its owner cannot lift. */
async function putLocked(room: Room): Promise<Version> {
  const { VersionId } = await put(room, "locked", "x", {
    ObjectLockMode: "COMPLIANCE",
    ObjectLockRetainUntilDate: new Date(clock(room) + LOCK_MS),
  });
  return { ...named(room, "locked"), ...(VersionId === undefined ? {} : { VersionId }) };
}

function relock(room: Room, at: Version, Mode: "COMPLIANCE" | "GOVERNANCE", until: number) {
  const input = { ...at, Retention: { Mode, RetainUntilDate: new Date(until) } };
  return room.bucket.client.send(new sdk.PutObjectRetentionCommand(input));
}

function clock({ bucket }: Room): number {
  return bucket.said() ?? bucket.timing.now();
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
