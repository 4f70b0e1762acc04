import { sha256Of } from "../model/canonical.js";
import type { Probe } from "../model/capabilities.js";
import type { S3Options } from "./s3.js";
import { type Bucket, bucketOf, sdk } from "./s3-client.js";
import { answerOf } from "./s3-errors.js";
import { PATIENT, watched } from "./s3-retry.js";
import { base64Of } from "./s3-tags.js";

/** Where the doctor works: names that are no keys, below the prefix. */
export interface Room {
  readonly bucket: Bucket;
  readonly at: string;
}

export interface Question extends Omit<Probe, "found" | "holds"> {
  readonly run: () => Promise<Pick<Probe, "found" | "holds">>;
}

/** A room that nobody else is in. */
export function roomOf(options: S3Options): Room {
  const how = { timing: options.timing, policy: { ...PATIENT, ...options.policy } };
  const nonce = Math.floor(options.timing.random() * 2 ** 40).toString(36);
  return {
    bucket: bucketOf(options, options.bucket, options.prefix, how),
    at: `.tieout/doctor/${options.timing.now().toString(36)}-${nonce}`,
  };
}

/** Bucket and name of an object of the room. */
export function named({ bucket, at }: Room, name: string): { Bucket: string; Key: string } {
  return { Bucket: bucket.name, Key: `${bucket.prefix}${at}/${name}` };
}

/** One small PUT, with what else the question needs. @throws what the SDK throws */
export function put(room: Room, name: string, text: string, more: object = {}) {
  const command = new sdk.PutObjectCommand({
    ...named(room, name),
    Body: Buffer.from(text),
    ContentLength: Buffer.byteLength(text),
    ChecksumSHA256: base64Of(sha256Of(text)),
    ...more,
  });
  return watched(room.bucket, (abortSignal) => room.bucket.client.send(command, { abortSignal }));
}

/** "200" or the status and code of a refusal; an error without an answer is thrown. */
export async function outcome(request: () => Promise<unknown>): Promise<string> {
  try {
    await request();
    return "200";
  } catch (e) {
    const { status, code } = answerOf(e);
    if (status === null) throw e;
    return `${status} ${code}`.trim();
  }
}

/** A request that the server must refuse. */
export async function refusedBy(
  request: () => Promise<unknown>,
): Promise<Pick<Probe, "found" | "holds">> {
  const said = await outcome(request);
  return { found: said === "200" ? "accepted" : said, holds: said !== "200" };
}

/** Every version of the room, as far as its locks let it go; best effort. */
export async function sweep(room: Room): Promise<void> {
  const { bucket } = room;
  const Prefix = named(room, "").Key;
  const listed = await bucket.client
    .send(new sdk.ListObjectVersionsCommand({ Bucket: bucket.name, Prefix }))
    .catch(() => null);
  for (const { Key, VersionId } of [
    ...(listed?.Versions ?? []),
    ...(listed?.DeleteMarkers ?? []),
  ]) {
    if (Key === undefined) continue;
    const version = VersionId === undefined || VersionId === "null" ? {} : { VersionId };
    const command = new sdk.DeleteObjectCommand({ Bucket: bucket.name, Key, ...version });
    await bucket.client.send(command).catch(() => undefined);
  }
}
