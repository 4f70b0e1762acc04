import { createHash } from "node:crypto";
import type { Body } from "../model/body.js";
import { sha256Of } from "../model/canonical.js";
import type { Key, Sha256 } from "../model/ids.js";
import { type Bucket, object, sdk } from "./s3-client.js";
import { isPassing } from "./s3-errors.js";
import { hashed } from "./s3-read.js";
import { persistently, watched } from "./s3-retry.js";
import { base64Of } from "./s3-tags.js";
import { versionIn } from "./s3-version.js";
import type { Stored } from "./store.js";
import { changedOnTheWay, damaged } from "./trouble.js";

/** From which size on an object is sent in parts, and how large a part is, in bytes. */
export interface Parts {
  readonly threshold_bytes: number;
  readonly part_bytes: number;
}

const GIB = 2 ** 30;
/** S3 takes one request up to 5 GiB, and at most 10,000 parts of at least 5 MiB. */
export const S3_PARTS: Parts = { threshold_bytes: 5 * GIB, part_bytes: 64 * 2 ** 20 };
const MOST_PARTS = 10_000;

interface Sender {
  readonly bucket: Bucket;
  readonly parts: Parts;
  readonly moved: (bytes: number) => void;
}

/**
 * An object in parts, each signed for its own bytes. It appears when the last request is answered,
 * if the key is then still free; since no server hashes the whole, it is read back once. An upload
 * that did not end well is aborted, and where that fails too a lifecycle rule of the bucket must
 * take its parts away.
 * @throws DAMAGED when the bytes read back are not those sent
 */
export async function putParts(
  how: Sender,
  key: Key,
  body: Body,
  headers: object,
): Promise<Stored> {
  const { bucket } = how;
  const at = object(bucket, key);
  const begun = await watched(bucket, (abortSignal) => {
    const input = { ...at, ...headers, ChecksumAlgorithm: "SHA256" as const };
    return bucket.client.send(new sdk.CreateMultipartUploadCommand(input), { abortSignal });
  });
  const upload = { ...at, UploadId: begun.UploadId ?? "" };
  let done = false;
  try {
    const parts = await sendAll(how, key, body, upload);
    const answer = await watched(bucket, (abortSignal) => {
      const input = { ...upload, MultipartUpload: { Parts: parts }, IfNoneMatch: "*" };
      return bucket.client.send(new sdk.CompleteMultipartUploadCommand(input), { abortSignal });
    });
    if (answer.ETag === undefined) throw new Error("the answer names no object");
    done = true;
    const { sha256, size_bytes } = await hashed(bucket, key, answer.VersionId);
    if (sha256 !== body.sha256) throw damaged(key);
    return { key, sha256, size_bytes, version: versionIn(answer.VersionId, sha256) };
  } finally {
    if (!done) await abort(bucket, upload);
  }
}

type Upload = ReturnType<typeof object> & { readonly UploadId: string };
interface Part {
  readonly PartNumber: number;
  readonly ETag: string;
  readonly ChecksumSHA256: string;
}

async function sendAll(how: Sender, key: Key, body: Body, upload: Upload): Promise<Part[]> {
  const sent: Part[] = [];
  const whole = createHash("sha256");
  for await (const bytes of partsOf(body, partSize(how.parts, body.size_bytes))) {
    whole.update(bytes);
    sent.push(await sendPart(how, bytes, sent.length + 1, upload));
    how.moved(bytes.byteLength);
  }
  if ((whole.digest("hex") as Sha256) !== body.sha256) throw changedOnTheWay(key);
  return sent;
}

/** A part may be sent again as often as it takes: the last one counts. */
function sendPart(
  { bucket }: Sender,
  bytes: Buffer,
  PartNumber: number,
  upload: Upload,
): Promise<Part> {
  const sha256 = sha256Of(bytes);
  const ChecksumSHA256 = base64Of(sha256);
  const once = async (): Promise<Part> => {
    const command = new sdk.UploadPartCommand({
      ...upload,
      PartNumber,
      Body: bytes,
      ContentLength: bytes.byteLength,
      ChecksumSHA256,
    });
    const { ETag } = await watched(bucket, (abortSignal) =>
      bucket.client.send(command, { abortSignal }),
    );
    if (ETag === undefined) throw new Error("the answer names no part");
    return { PartNumber, ETag, ChecksumSHA256 };
  };
  return persistently(bucket, once, isPassing);
}

/** @returns bytes of each part but the last */
function partSize({ part_bytes }: Parts, size_bytes: number): number {
  return Math.max(part_bytes, Math.ceil(size_bytes / MOST_PARTS));
}

async function* partsOf(body: Body, size: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body.open()) {
    for (let at = 0; at < chunk.byteLength; ) {
      const piece = chunk.subarray(at, at + size - bytes);
      held.push(piece);
      bytes += piece.byteLength;
      at += piece.byteLength;
      if (bytes < size) continue;
      yield Buffer.concat(held);
      held = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(held);
}

async function abort(bucket: Bucket, upload: Upload): Promise<void> {
  await watched(bucket, (abortSignal) =>
    bucket.client.send(new sdk.AbortMultipartUploadCommand(upload), { abortSignal }),
  ).catch(() => undefined);
}
