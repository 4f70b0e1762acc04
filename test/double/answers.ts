import type { IncomingMessage } from "node:http";
import { type Bucket, type Conditions, contentOf, type Locked, type Version } from "./bucket.js";
import { complete, startUpload, type Upload, uploadPart } from "./parts.js";
import { Refusal } from "./refusal.js";
import { header } from "./signature.js";
import { textOf, type Xml, xml } from "./xml.js";

export interface Call {
  readonly method: string;
  readonly name: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly req: IncomingMessage;
  readonly bytes: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export type Uploads = Map<string, Upload>;

export interface World {
  readonly buckets: Map<string, Bucket>;
  readonly bucket: (name: string, kind: { lock?: boolean }) => Bucket;
  readonly uploads: Uploads;
  /** Keys of a page of a list. */
  readonly page: number;
  readonly now: () => number;
}

const NOTHING = Buffer.alloc(0);

/** What the server answers to a request whose signature and body are right. @throws Refusal */
export function answer(call: Call, world: World): Answer {
  const { method, name, key, req } = call;
  if (method === "PUT" && key === "" && !world.buckets.has(name)) {
    world.bucket(name, { lock: header(req, "x-amz-bucket-object-lock-enabled") === "true" });
    return empty(200);
  }
  const bucket = world.buckets.get(name);
  if (bucket === undefined) throw new Refusal(404, "NoSuchBucket");
  if (key === "") return ofBucket(call, bucket, world);
  if (call.query.has("uploads") || call.query.has("uploadId")) return ofUpload(call, bucket, world);
  if (call.query.has("retention")) return ofRetention(call, bucket);
  if (call.query.has("legal-hold")) return ofHold(call, bucket);
  return ofObject(call, bucket);
}

function ofBucket({ method, query }: Call, bucket: Bucket, world: World): Answer {
  if (method === "HEAD") return empty(200);
  if (method !== "GET") throw new Refusal(405, "MethodNotAllowed");
  if (query.has("versioning"))
    return ok("VersioningConfiguration", { Status: bucket.versioned ? "Enabled" : null });
  if (query.has("object-lock")) {
    if (!bucket.lockable) throw new Refusal(404, "ObjectLockConfigurationNotFoundError");
    return ok("ObjectLockConfiguration", { ObjectLockEnabled: "Enabled" });
  }
  return query.has("versions") ? listVersions(bucket, query) : listKeys(bucket, query, world.page);
}

function listKeys(bucket: Bucket, query: URLSearchParams, page: number): Answer {
  const from = query.get("continuation-token") ?? "";
  const keys = bucket.keys(query.get("prefix") ?? "").filter((key) => from === "" || key > from);
  const size = Math.min(page, Number(query.get("max-keys") ?? page));
  const shown = keys.slice(0, size);
  const more = keys.length > shown.length;
  return ok("ListBucketResult", {
    IsTruncated: more,
    KeyCount: shown.length,
    Contents: shown.map((Key) => ({ Key, Size: bucket.get(Key, null).bytes?.byteLength ?? 0 })),
    NextContinuationToken: more ? (shown.at(-1) ?? null) : null,
  });
}

function listVersions(bucket: Bucket, query: URLSearchParams): Answer {
  const prefix = query.get("prefix") ?? "";
  const all = [...bucket.objects].filter(([key]) => key.startsWith(prefix));
  const of = (marker: boolean): Xml[] =>
    all.flatMap(([Key, versions]) =>
      versions
        .filter((v) => (v.bytes === null) === marker)
        .map((v) => ({ Key, VersionId: v.id, IsLatest: v === versions[0] })),
    );
  return ok("ListVersionsResult", {
    IsTruncated: false,
    Version: of(false),
    DeleteMarker: of(true),
  });
}

function ofObject({ method, key, query, req, bytes }: Call, bucket: Bucket): Answer {
  const id = query.get("versionId");
  if (method === "PUT") {
    const content = { ...contentOf(bytes), meta: metaOf(req), locked: lockedOf(req) };
    return { ...empty(200), headers: described(bucket.put(key, content, conditions(req)), bucket) };
  }
  if (method === "DELETE") {
    const gone = bucket.remove(key, id, header(req, "x-amz-bypass-governance-retention") !== "");
    const marker: Record<string, string> = gone?.marker ? { "x-amz-delete-marker": "true" } : {};
    return { ...empty(204), headers: gone ? { ...marker, "x-amz-version-id": gone.id } : {} };
  }
  const version = bucket.get(key, id);
  const body = version.bytes ?? NOTHING;
  const said = described(version, bucket);
  if (header(req, "x-amz-checksum-mode") !== "ENABLED") delete said["x-amz-checksum-sha256"];
  const headers = { ...said, "content-length": String(body.byteLength) };
  return { status: 200, headers, body: method === "HEAD" ? NOTHING : body };
}

function ofUpload({ method, key, query, req, bytes }: Call, bucket: Bucket, world: World): Answer {
  const { uploads } = world;
  const id = query.get("uploadId");
  if (id === null) {
    const begun = { key, meta: metaOf(req), locked: lockedOf(req) };
    return ok("InitiateMultipartUploadResult", { UploadId: startUpload(uploads, begun) });
  }
  const upload = uploads.get(id);
  if (upload === undefined || upload.key !== key) throw new Refusal(404, "NoSuchUpload");
  if (method === "PUT") {
    const etag = uploadPart(upload, Number(query.get("partNumber")), bytes);
    return { ...empty(200), headers: { etag: `"${etag}"` } };
  }
  if (method === "DELETE") {
    uploads.delete(id);
    return empty(204);
  }
  bucket.check(key, conditions(req));
  const version = bucket.put(key, complete(upload, bytes.toString()), conditions(req));
  uploads.delete(id);
  const done = ok("CompleteMultipartUploadResult", { ETag: `"${version.etag}"` });
  return { ...done, headers: { ...versionHeader(version) } };
}

function ofRetention({ method, key, query, req, bytes }: Call, bucket: Bucket): Answer {
  const id = query.get("versionId");
  if (method === "PUT") {
    const text = bytes.toString();
    const mode = textOf(text, "Mode") === "COMPLIANCE" ? "COMPLIANCE" : "GOVERNANCE";
    const until = Date.parse(textOf(text, "RetainUntilDate") ?? "");
    const bypass = header(req, "x-amz-bypass-governance-retention") !== "";
    bucket.lock(key, id, { mode, until }, bypass);
    return empty(200);
  }
  const { locked } = bucket.get(key, id);
  if (locked === null) throw new Refusal(404, "NoSuchObjectLockConfiguration");
  const RetainUntilDate = new Date(locked.until).toISOString();
  return ok("Retention", { Mode: locked.mode, RetainUntilDate });
}

function ofHold({ method, key, query, bytes }: Call, bucket: Bucket): Answer {
  const id = query.get("versionId");
  if (method === "PUT") {
    bucket.hold(key, id, textOf(bytes.toString(), "Status") === "ON");
    return empty(200);
  }
  return ok("LegalHold", { Status: bucket.get(key, id).held ? "ON" : "OFF" });
}

function conditions(req: IncomingMessage): Conditions {
  const match = header(req, "if-match");
  return {
    if_none_match: header(req, "if-none-match") === "*",
    if_match: match === "" ? null : match.replaceAll('"', ""),
  };
}

function metaOf(req: IncomingMessage): Record<string, string> {
  const names = Object.keys(req.headers).filter((n) => n.startsWith("x-amz-meta-"));
  return Object.fromEntries(names.map((n) => [n, header(req, n)]));
}

function lockedOf(req: IncomingMessage): Locked | null {
  const mode = header(req, "x-amz-object-lock-mode");
  const until = Date.parse(header(req, "x-amz-object-lock-retain-until-date"));
  if (mode === "") return null;
  if (mode !== "GOVERNANCE" && mode !== "COMPLIANCE") throw new Refusal(400, "InvalidRequest");
  return { mode, until };
}

function described(version: Version, bucket: Bucket): Record<string, string> {
  const { checksum } = version;
  const hidden = checksum === null || bucket.quirks.no_checksum_in_head;
  return {
    etag: `"${version.etag}"`,
    ...versionHeader(version),
    ...(hidden ? {} : { "x-amz-checksum-sha256": checksum }),
    ...version.meta,
  };
}

function versionHeader({ id }: Version): Record<string, string> {
  return id === "null" ? {} : { "x-amz-version-id": id };
}

function ok(root: string, content: Xml): Answer {
  return {
    status: 200,
    headers: { "content-type": "application/xml" },
    body: Buffer.from(xml(root, content)),
  };
}

function empty(status: number): Answer {
  return { status, headers: {}, body: NOTHING };
}
