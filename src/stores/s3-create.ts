import type { Body } from "../model/body.js";
import { isTieout } from "../model/errors.js";
import type { Key } from "../model/ids.js";
import { sending, WrongLength } from "./s3-body.js";
import { type Bucket, object, sdk } from "./s3-client.js";
import { isPassing, meaningOf, troubleOf } from "./s3-errors.js";
import type { Lock } from "./s3-lock.js";
import { lockAtPut } from "./s3-lock.js";
import { type Parts, putParts } from "./s3-parts.js";
import { head } from "./s3-read.js";
import { persistently, watched } from "./s3-retry.js";
import { base64Of, metadataOf } from "./s3-tags.js";
import { versionIn } from "./s3-version.js";
import type { Stored, Tags } from "./store.js";
import { changedOnTheWay, storeUnknown } from "./trouble.js";

export interface Creating {
  readonly bucket: Bucket;
  readonly lock: Lock | null;
  readonly parts: Parts;
  readonly moved: (bytes: number) => void;
}

interface Made {
  readonly mine: boolean;
  readonly stored: Stored;
}

/**
 * Creates a key once. Whatever a try ends with that is no plain yes, the store is asked what it has
 * under the key: bytes that are ours after a try without an answer are that try's; other bytes, or
 * ours although every try was answered, are somebody else's; none means to try again.
 * @throws STORE when surely nothing was stored, UNKNOWN when nobody can say
 */
export async function create(how: Creating, key: Key, body: Body, tags: Tags): Promise<Made> {
  const there = await head(how.bucket, key);
  if (there !== null) return { mine: false, stored: there };
  const state = { unanswered: false };
  try {
    return await persistently(
      how.bucket,
      () => once(how, key, body, tags, state),
      (e, n) => !(e instanceof OurFault) && (meaningOf(e) === "taken" || isPassing(e, n)),
    );
  } catch (e) {
    if (e instanceof OurFault) throw e.cause;
    throw state.unanswered && !isTieout(e, "UNKNOWN")
      ? storeUnknown(key, "the store did not say whether it took the object", e)
      : troubleOf(key, e);
  }
}

/** One try, and what the store has after it. @throws what leaves the key absent */
async function once(
  how: Creating,
  key: Key,
  body: Body,
  tags: Tags,
  state: { unanswered: boolean },
): Promise<Made> {
  try {
    return { mine: true, stored: await put(how, key, body, tags) };
  } catch (e) {
    if (isTieout(e) || e instanceof OurFault) throw e;
    const meaning = meaningOf(e);
    if (meaning === "mismatch") throw changedOnTheWay(key);
    if (meaning === "unanswered") state.unanswered = true;
    else if (meaning !== "taken") throw e;
    const stored = await head(how.bucket, key);
    if (stored === null) throw e;
    return { mine: state.unanswered && stored.sha256 === body.sha256, stored };
  }
}

/** The body could not be read: the server got less than was announced, and keeps none of it. */
class OurFault extends Error {
  constructor(because: unknown) {
    super("the body broke off", { cause: because });
    this.name = "OurFault";
  }
}

async function put(how: Creating, key: Key, body: Body, tags: Tags): Promise<Stored> {
  const headers = { Metadata: metadataOf(tags, body.sha256), ...lockAtPut(how.lock, how.bucket) };
  return body.size_bytes >= how.parts.threshold_bytes
    ? putParts(how, key, body, headers)
    : putWhole(how, key, body, headers);
}

/** One request whose signature covers the body's hash: the server takes these bytes or none. */
async function putWhole(
  { bucket, moved }: Creating,
  key: Key,
  body: Body,
  headers: object,
): Promise<Stored> {
  const { sha256, size_bytes } = body;
  const checksum = base64Of(sha256);
  const answer = await watched(bucket, async (watch, still) => {
    const stop = new AbortController();
    const { stream, broken } = sending(
      body,
      (bytes) => {
        still();
        moved(bytes);
      },
      (because) => stop.abort(because),
    );
    const command = new sdk.PutObjectCommand({
      ...object(bucket, key),
      ...headers,
      Body: stream,
      ContentLength: size_bytes,
      ChecksumSHA256: checksum,
      IfNoneMatch: "*",
    });
    try {
      const abortSignal = AbortSignal.any([watch, stop.signal]);
      return await bucket.client.send(command, { abortSignal });
    } catch (e) {
      const because = broken();
      if (because === null) throw e;
      throw new OurFault(because instanceof WrongLength ? changedOnTheWay(key) : because);
    } finally {
      stream.destroy();
    }
  });
  // An error can come with status 200; a checksum that is not ours is no yes either.
  if (answer.ETag === undefined) throw new Error("the answer names no object");
  if ((answer.ChecksumSHA256 ?? checksum) !== checksum)
    throw new Error("the answer names other bytes");
  return { key, sha256, size_bytes, version: versionIn(answer.VersionId, sha256) };
}
