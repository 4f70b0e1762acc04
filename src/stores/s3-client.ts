import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Api from "@aws-sdk/client-s3";
import type { Policy, Timing } from "./s3-retry.js";

/** The vendor's package by require, which loads in half the CPU of an import. */
export const sdk: typeof Api = createRequire(import.meta.url)("@aws-sdk/client-s3");

/** Where a bucket is and who asks. Nothing here is ever printed. */
export interface Endpoint {
  /** Null: Amazon's own, by region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Bucket in the path instead of the host name, as most servers other than Amazon's want. */
  readonly path_style: boolean;
  /** A file of certificates (PEM) that are trusted instead of the system's. */
  readonly ca_file: string | null;
  /** Null: as the SDK finds them (profile, container, instance). */
  readonly credentials: Credentials | null;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** One bucket as all parts of the store ask it. */
export interface Bucket {
  readonly client: Api.S3Client;
  readonly name: string;
  /** What every key begins with; empty, or ends in a slash. */
  readonly prefix: string;
  readonly timing: Timing;
  readonly policy: Policy;
  /** What the last answer said the time is, in milliseconds since 1970; null before the first. */
  readonly said: () => number | null;
}

/**
 * A client that does what it is told once: no retries of its own (a retried conditional create
 * would meet its own object), no checksums of its own choice (they turn the body into chunks that
 * old servers refuse), no words on standard error.
 */
export function bucketOf(
  at: Endpoint,
  name: string,
  prefix: string,
  how: { readonly timing: Timing; readonly policy: Policy },
): Bucket {
  const client = new sdk.S3Client({
    region: at.region,
    forcePathStyle: at.path_style,
    ...(at.endpoint === null ? {} : { endpoint: at.endpoint }),
    ...(at.credentials === null ? {} : { credentials: at.credentials }),
    maxAttempts: 1,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: how.policy.connect_ms,
      httpsAgent: at.ca_file === null ? {} : { ca: readFileSync(at.ca_file) },
    },
    logger: SILENT,
  });
  let said: number | null = null;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      said = dateOf(result.response) ?? said;
      return result;
    },
    // Innermost: it sees an answer before the deserializer turns an error answer into a throw.
    { step: "deserialize", name: "tieoutDate", priority: "low" },
  );
  // Signs a body for its hash instead of for any: the hash of the manifest is the one on the wire.
  client.middlewareStack.add(
    (next) => async (args) => {
      const checksum: unknown = Reflect.get(args.input, "ChecksumSHA256");
      if (typeof checksum === "string" && hasHeaders(args.request))
        args.request.headers["x-amz-content-sha256"] = Buffer.from(checksum, "base64").toString(
          "hex",
        );
      return next(args);
    },
    { step: "build", name: "tieoutPayloadHash" },
  );
  const full = prefix === "" ? "" : `${prefix}/`;
  const { timing, policy } = how;
  return { client, name, prefix: full, said: () => said, timing, policy };
}

/** What a request of exactly one object names. */
export function object(
  bucket: Bucket,
  key: string,
  version?: string,
): { Bucket: string; Key: string; VersionId?: string } {
  const of = { Bucket: bucket.name, Key: `${bucket.prefix}${key}` };
  return version === undefined ? of : { ...of, VersionId: version };
}

const SILENT = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

function hasHeaders(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === "object" && request !== null && "headers" in request;
}

function dateOf(response: unknown): number | null {
  if (!hasHeaders(response)) return null;
  const at = Date.parse(response.headers.date ?? "");
  return Number.isNaN(at) ? null : at;
}
