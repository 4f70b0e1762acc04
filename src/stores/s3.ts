import { type Disk, realDisk } from "../folders/disk.js";
import { isTieout } from "../model/errors.js";
import type { Key } from "../model/ids.js";
import { checkKey, checkPrefix } from "./key.js";
import { type Bucket, bucketOf, type Endpoint, sdk } from "./s3-client.js";
import { create } from "./s3-create.js";
import { list } from "./s3-list.js";
import type { Lock } from "./s3-lock.js";
import { type Parts, S3_PARTS } from "./s3-parts.js";
import { asked, fetch, head, text } from "./s3-read.js";
import { retaining } from "./s3-retention.js";
import { PATIENT, type Policy, type Timing } from "./s3-retry.js";
import type { Store } from "./store.js";

export interface S3Options extends Endpoint {
  readonly bucket: string;
  /** What every key begins with; empty for none, no slash at its end. */
  readonly prefix: string;
  /** Null: retention is recorded, and only tieout keeps to it. */
  readonly lock: Lock | null;
  readonly timing: Timing;
  readonly policy?: Partial<Policy>;
  readonly parts?: Parts;
  readonly disk?: Disk;
  /** Told of bytes of an object as they leave. */
  readonly moved?: (bytes: number) => void;
}

/**
 * A store in an S3-compatible bucket. The object of a key is `<prefix>/<key>`, with the tags as
 * metadata; a version is the server's where the bucket keeps versions. The server must refuse a
 * second conditional create: `tieout doctor` finds out. Nothing is sent before the first call, and
 * no connection is held open for longer than it is used.
 */
export function s3Store(options: S3Options): Store {
  const { bucket, creating } = partsOf(options);
  const disk = options.disk ?? realDisk;
  const known = (key: Key): Key => {
    checkKey(key);
    return key;
  };
  return {
    create: async (key, body, tags = {}) => create(creating, known(key), body, tags),
    head: async (key, version) => head(bucket, known(key), version),
    text: async (key, version) => text(bucket, known(key), version),
    fetch: async (stored, to) => {
      known(stored.key);
      return fetch(bucket, disk, stored, to);
    },
    list: async (prefix) => {
      checkPrefix(prefix);
      return list(bucket, prefix);
    },
    facts: async () => ({
      kind: "s3",
      conditional_create: "If-None-Match",
      versions: await keepsVersions(bucket),
      retention: options.lock?.mode ?? "recorded",
    }),
    ...retaining(creating),
  };
}

/** Null: the server does not tell whoever has this key. */
async function keepsVersions(bucket: Bucket): Promise<boolean | null> {
  const at = { Bucket: bucket.name };
  const { Status } = await asked(bucket, bucket.name, (abortSignal) =>
    bucket.client.send(new sdk.GetBucketVersioningCommand(at), { abortSignal }),
  ).catch((e) => {
    if (isTieout(e, "STORE")) return { Status: null };
    throw e;
  });
  return Status === null ? null : Status === "Enabled";
}

function partsOf(options: S3Options) {
  const policy = { ...PATIENT, ...options.policy };
  const how = { timing: options.timing, policy };
  const bucket: Bucket = bucketOf(options, options.bucket, options.prefix, how);
  const creating = {
    bucket,
    lock: options.lock,
    parts: options.parts ?? S3_PARTS,
    moved: options.moved ?? (() => undefined),
  };
  return { bucket, creating };
}
