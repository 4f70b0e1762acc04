import { createHash, createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "./refusal.js";

/** A request as far as its signature covers it. */
export interface Signed {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Keys {
  readonly id: string;
  readonly secret: string;
}

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const SKEW_MS = 900_000;

/**
 * Signature version 4 of a request, as AWS documents it, by its headers.
 * @throws Refusal: the key is unknown, the clocks differ by more than 15 minutes, the hash of the
 * body is not among what was signed, or the signature is another
 */
export function verify(request: Signed, keys: Keys, now: number): void {
  const m = FORM.exec(request.headers.authorization ?? "");
  if (m === null) throw new Refusal(403, "AccessDenied");
  const [, id, day = "", region = "", signedHeaders = "", signature] = m;
  if (id !== keys.id) throw new Refusal(403, "InvalidAccessKeyId");
  const at = header(request, "x-amz-date");
  if (Math.abs(instantOf(at) - now) > SKEW_MS) throw new Refusal(403, "RequestTimeTooSkewed");
  const scope = `${day}/${region}/s3/aws4_request`;
  const canonical = canonicalRequest(request, signedHeaders.split(";"));
  const text = ["AWS4-HMAC-SHA256", at, scope, sha256(canonical)].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    (k, part) => hmac(k, part),
    `AWS4${keys.secret}`,
  );
  if (hmac(key, text).toString("hex") !== signature)
    throw new Refusal(403, "SignatureDoesNotMatch");
}

function canonicalRequest(request: Signed, signed: readonly string[]): string {
  const [path = "/", query = ""] = request.url.split("?");
  const pairs = query === "" ? [] : query.split("&").map((p) => (p.includes("=") ? p : `${p}=`));
  const lines = signed.map((name) => `${name}:${header(request, name).trim()}\n`);
  return [
    request.method,
    path,
    pairs.sort().join("&"),
    lines.join(""),
    signed.join(";"),
    header(request, "x-amz-content-sha256"),
  ].join("\n");
}

export function header(request: Pick<Signed, "headers">, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
}

function instantOf(at: string): number {
  const m = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(at);
  if (m === null) return Number.NEGATIVE_INFINITY;
  const [, year, month, day, hour, minute, second] = m;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
