import type { Key } from "../model/ids.js";
import { type Bucket, object, sdk } from "./s3-client.js";
import { answerOf } from "./s3-errors.js";
import { asked } from "./s3-read.js";
import { serverVersion } from "./s3-version.js";
import type { Retention, Stored } from "./store.js";
import { storeError } from "./trouble.js";

/** Object Lock as configured. */
export interface Lock {
  readonly mode: "governance" | "compliance";
  /**
   * How long what is put is locked at first: long enough to reach the commit, which is when the
   * retention of the job is set, and short enough that a failed attempt does not stay for years.
   */
  readonly seconds: number;
}

type ServerMode = "GOVERNANCE" | "COMPLIANCE";
interface LockHeaders {
  readonly ObjectLockMode?: ServerMode;
  readonly ObjectLockRetainUntilDate?: Date;
}

/** The short lock that an object gets as it is put, by the server's clock. */
export function lockAtPut(lock: Lock | null, bucket: Bucket): LockHeaders {
  if (lock === null) return {};
  const now = bucket.said() ?? bucket.timing.now();
  return {
    ObjectLockMode: serverMode(lock.mode),
    ObjectLockRetainUntilDate: new Date(now + lock.seconds * 1000),
  };
}

/** What the server itself says of a version; without a lock, the configured mode until null. */
export async function readLock(bucket: Bucket, lock: Lock, stored: Stored): Promise<Retention> {
  const { key } = stored;
  const at = object(bucket, key, serverVersion(stored.version));
  const kept = await unlessUnset(bucket, key, (abortSignal) =>
    bucket.client.send(new sdk.GetObjectRetentionCommand(at), { abortSignal }),
  );
  const hold = await unlessUnset(bucket, key, (abortSignal) =>
    bucket.client.send(new sdk.GetObjectLegalHoldCommand(at), { abortSignal }),
  );
  const until = kept?.Retention?.RetainUntilDate;
  const mode = kept?.Retention?.Mode;
  return {
    until: until === undefined ? null : until.toISOString(),
    mode: mode === undefined ? lock.mode : mode === "COMPLIANCE" ? "compliance" : "governance",
    held: hold?.LegalHold?.Status === "ON",
  };
}

/**
 * Extends a version's lock, never into a weaker mode, and reads it back: a server that says yes and
 * keeps nothing is found out here.
 * @throws STORE when what is read back is earlier than what was asked
 */
export async function extendLock(
  bucket: Bucket,
  lock: Lock,
  stored: Stored,
  until: string,
): Promise<Retention> {
  const now = await readLock(bucket, lock, stored);
  if (now.until !== null && Date.parse(now.until) >= Date.parse(until)) return now;
  const mode = now.mode === "compliance" ? now.mode : lock.mode;
  const input = {
    ...object(bucket, stored.key, serverVersion(stored.version)),
    Retention: { Mode: serverMode(mode), RetainUntilDate: wholeSecond(until) },
  };
  await asked(bucket, stored.key, (abortSignal) =>
    bucket.client.send(new sdk.PutObjectRetentionCommand(input), { abortSignal }),
  );
  const kept = await readLock(bucket, lock, stored);
  if (kept.until !== null && Date.parse(kept.until) >= Date.parse(until)) return kept;
  throw notKept(stored.key, "a longer retention");
}

/** Legal hold on or off, read back. @throws STORE when the server does not say what it was told */
export async function setHold(
  bucket: Bucket,
  lock: Lock,
  stored: Stored,
  on: boolean,
): Promise<Retention> {
  const at = object(bucket, stored.key, serverVersion(stored.version));
  const input = { ...at, LegalHold: { Status: on ? ("ON" as const) : ("OFF" as const) } };
  await asked(bucket, stored.key, (abortSignal) =>
    bucket.client.send(new sdk.PutObjectLegalHoldCommand(input), { abortSignal }),
  );
  const kept = await readLock(bucket, lock, stored);
  if (kept.held === on) return kept;
  throw notKept(stored.key, "the legal hold");
}

/** What servers say of a lock or a hold that was never set; Ceph says it as of the bucket. */
const UNSET = ["NoSuchObjectLockConfiguration", "ObjectLockConfigurationNotFoundError"];

/** Null for a version that was never locked or held. */
function unlessUnset<T>(
  bucket: Bucket,
  key: Key,
  question: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  return asked(bucket, key, async (signal) => {
    try {
      return await question(signal);
    } catch (e) {
      if (UNSET.includes(answerOf(e).code)) return null;
      throw e;
    }
  });
}

function notKept(key: Key, what: string) {
  return storeError(
    key,
    `the store accepted ${what} and does not say so when it is asked`,
    "run `tieout doctor`: this store does not keep what it is told about locks",
  );
}

function serverMode(mode: Lock["mode"]): ServerMode {
  return mode === "compliance" ? "COMPLIANCE" : "GOVERNANCE";
}

/** Servers keep whole seconds: the next one, so that nothing ends a moment early. */
function wholeSecond(until: string): Date {
  return new Date(Math.ceil(Date.parse(until) / 1000) * 1000);
}
