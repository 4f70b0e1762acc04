import { createHash } from "node:crypto";
import { type Disk, withFile } from "../folders/disk.js";
import { prepare, publish, writeAll } from "../folders/place.js";
import { diskTrouble } from "../folders/trouble.js";
import type { Sealed } from "../model/body.js";
import { sha256Of } from "../model/canonical.js";
import { isTieout } from "../model/errors.js";
import type { Key, Path, Sha256 } from "../model/ids.js";
import { type Bucket, object, sdk } from "./s3-client.js";
import { answerOf, isPassing, meaningOf, troubleOf } from "./s3-errors.js";
import { persistently, watched } from "./s3-retry.js";
import { sha256In } from "./s3-tags.js";
import { serverVersion, versionIn } from "./s3-version.js";
import type { Stored } from "./store.js";
import { absent, damaged } from "./trouble.js";

/**
 * What is there now, or under a version. One request, and no byte of the object unless somebody
 * else made it, without saying its hash: then it is read once.
 */
export async function head(bucket: Bucket, key: Key, version?: string): Promise<Stored | null> {
  const id = serverVersion(version);
  const answer = await asked(bucket, key, async (abortSignal) => {
    const input = { ...object(bucket, key, id), ChecksumMode: "ENABLED" as const };
    try {
      return await bucket.client.send(new sdk.HeadObjectCommand(input), { abortSignal });
    } catch (e) {
      if (isNone(e, id)) return null;
      throw e;
    }
  });
  if (answer === null) return null;
  const size_bytes = answer.ContentLength ?? 0;
  const sha256 = sha256In(answer) ?? (await hashed(bucket, key, answer.VersionId)).sha256;
  const stored = { key, sha256, size_bytes, version: versionIn(answer.VersionId, sha256) };
  return version === undefined || stored.version === version ? stored : null;
}

/** A small document, verified against the hash that it was stored with. */
export async function text(bucket: Bucket, key: Key, version?: string): Promise<string> {
  const stored = await head(bucket, key, version);
  if (stored === null) throw absent(key);
  const bytes = await persistently(
    bucket,
    async () => {
      const parts: Uint8Array[] = [];
      for await (const part of bytesOf(bucket, stored)) parts.push(part);
      const whole = Buffer.concat(parts);
      if (sha256Of(whole) !== stored.sha256) throw damaged(key);
      return whole;
    },
    again,
  ).catch((e) => {
    throw troubleOf(key, e);
  });
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Streams an object into a new file, which appears whole and with its hash or not at all. */
export async function fetch(bucket: Bucket, disk: Disk, stored: Stored, to: Path): Promise<Sealed> {
  const { key } = stored;
  const file = await persistently(
    bucket,
    () =>
      prepare(
        disk,
        to,
        (temporary) =>
          withFile(disk, temporary, "create", (out) => writeAll(out, bytesOf(bucket, stored))),
        ({ sha256 }) => {
          if (sha256 !== stored.sha256) throw damaged(key);
        },
      ),
    again,
  ).catch((e) => {
    throw e instanceof Unread ? troubleOf(key, e) : diskTrouble(key, e);
  });
  try {
    await publish(disk, file.temporary, to);
  } catch (e) {
    throw diskTrouble(key, e);
  }
  return file.sealed;
}

/** The bytes that are there, whatever they are. */
export async function hashed(bucket: Bucket, key: Key, id: string | undefined): Promise<Sealed> {
  const read = async (): Promise<Sealed> => {
    const hash = createHash("sha256");
    let size_bytes = 0;
    for await (const part of stream(bucket, key, id)) {
      hash.update(part);
      size_bytes += part.byteLength;
    }
    return { sha256: hash.digest("hex") as Sha256, size_bytes };
  };
  return persistently(bucket, read, isPassing).catch((e) => {
    throw troubleOf(key, e);
  });
}

function bytesOf(bucket: Bucket, { key, version }: Stored): AsyncIterable<Uint8Array> {
  return stream(bucket, key, serverVersion(version));
}

/** A body that was not given whole: as passing as what it wraps, and never the disk's fault. */
class Unread extends Error {
  readonly $metadata: { readonly httpStatusCode: number } | undefined;
  constructor(
    readonly code: string,
    status: number | null,
    because: unknown,
  ) {
    super(`the object was not read: ${code}`, { cause: because });
    this.name = "Unread";
    this.$metadata = status === null ? undefined : { httpStatusCode: status };
  }
}

/**
 * One GET from its first byte to its last, under one watch. An answer that ends before the length
 * that it announced is no answer.
 */
async function* stream(
  bucket: Bucket,
  key: Key,
  id: string | undefined,
): AsyncGenerator<Uint8Array> {
  const queue = await open(bucket, key, id);
  try {
    let rest = queue.size_bytes;
    for (;;) {
      const part = await watched(bucket, async (signal) => {
        const next = queue.parts.next();
        return Promise.race([next, aborted(signal)]);
      });
      if (part.done) break;
      rest -= part.value.byteLength;
      yield part.value;
    }
    if (rest !== 0) throw new Unread("IncompleteBody", null, null);
  } catch (e) {
    throw unread(e);
  } finally {
    queue.close();
  }
}

interface Opened {
  readonly parts: AsyncIterator<Uint8Array>;
  readonly size_bytes: number;
  readonly close: () => void;
}

async function open(bucket: Bucket, key: Key, id: string | undefined): Promise<Opened> {
  try {
    const answer = await watched(bucket, (abortSignal) =>
      bucket.client.send(new sdk.GetObjectCommand(object(bucket, key, id)), { abortSignal }),
    );
    const body: unknown = answer.Body;
    if (!isReadable(body)) throw new Unread("EmptyAnswer", null, null);
    return {
      parts: body[Symbol.asyncIterator](),
      size_bytes: answer.ContentLength ?? 0,
      close: () => body.destroy(),
    };
  } catch (e) {
    throw isNone(e, id) ? absent(key) : unread(e);
  }
}

function unread(e: unknown): unknown {
  if (e instanceof Unread || isTieout(e)) return e;
  const { status, code } = answerOf(e);
  return new Unread(code, status, e);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
  });
}

function isReadable(
  body: unknown,
): body is AsyncIterable<Uint8Array> & { readonly destroy: () => void } {
  return typeof body === "object" && body !== null && "destroy" in body;
}

/** A question without a body, asked until it is answered. */
export function asked<T>(
  bucket: Bucket,
  subject: string,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return persistently(bucket, () => watched(bucket, request), isPassing).catch((e) => {
    throw troubleOf(subject, e);
  });
}

/** A version that this server could never have given is answered as a bad request. */
function isNone(e: unknown, id: string | undefined): boolean {
  return meaningOf(e) === "absent" || (id !== undefined && answerOf(e).status === 400);
}

/** A body that arrived flipped may have been flipped on its way: it is read once more. */
function again(e: unknown, n: number): boolean {
  return (e instanceof Unread && isPassing(e, n)) || (isTieout(e, "DAMAGED") && n === 1);
}
