import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, answer, type Call, type Uploads } from "./answers.js";
import { Bucket, type Quirks } from "./bucket.js";
import { Refusal } from "./refusal.js";
import { header, type Keys, verify } from "./signature.js";
import { xml } from "./xml.js";

/**
 * What goes wrong with a request: `before` it has its effect, or `after`, when only the answer is
 * lost; `error body` is an error that comes with status 200; the others spoil the body of a GET.
 */
export type Fault =
  | "reset before"
  | "reset after"
  | "503 before"
  | "503 after"
  | "hang after"
  | "error body"
  | "truncated"
  | "flipped";

export interface DoubleOptions {
  readonly keys?: Keys;
  /** The server's own clock. */
  readonly now?: () => number;
  readonly quirks?: Quirks;
  readonly page?: number;
  /** Any free one by default. */
  readonly port?: number;
  readonly fault?: (call: { readonly method: string; readonly key: string }) => Fault | null;
}

export interface Double {
  readonly url: string;
  readonly keys: Keys;
  readonly bucket: (name: string, kind: { versioned?: boolean; lock?: boolean }) => Bucket;
  /** Uploads in parts that were neither completed nor aborted. */
  readonly uploads: Uploads;
  /** `PUT a/b.json`, in the order in which they were answered. */
  readonly calls: string[];
  readonly close: () => Promise<void>;
}

/**
 * A strict S3 server in this process, of what the store uses: it checks signatures, hashes and
 * conditions, keeps versions and locks, and pages lists. Strictness is its purpose; where a real
 * server is laxer, a quirk says so.
 */
export async function double(options: DoubleOptions = {}): Promise<Double> {
  const keys = options.keys ?? { id: "tester", secret: "testsecret" };
  const now = options.now ?? (() => Date.now());
  const buckets = new Map<string, Bucket>();
  const uploads: Uploads = new Map();
  const calls: string[] = [];
  const bucket: Double["bucket"] = (name, { versioned = false, lock = false }) => {
    const made = new Bucket(versioned || lock, lock, options.quirks ?? {}, now);
    buckets.set(name, made);
    return made;
  };
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const url = req.url ?? "/";
    const method = req.method ?? "GET";
    const [path = "/", query = ""] = url.split("?");
    const [, name = "", ...rest] = path.split("/").map(decodeURIComponent);
    const key = rest.join("/");
    const fault = options.fault?.({ method, key }) ?? null;
    if (fault === "reset before") return void req.socket.destroy();
    const bytes = await bodyOf(req);
    if (bytes === null) return;
    if (fault === "503 before") return send(res, refused(new Refusal(503, "SlowDown")), now());
    calls.push(`${method} ${key}`);
    let out: Answer;
    try {
      verify({ method, url, headers: req.headers }, keys, now());
      checkBody(req, bytes);
      const call: Call = { method, name, key, query: new URLSearchParams(query), req, bytes };
      out = answer(call, { buckets, bucket, uploads, page: options.page ?? 1000, now });
    } catch (e) {
      if (!(e instanceof Refusal)) throw e;
      out = refused(e);
    }
    if (fault === "reset after") return void req.socket.destroy();
    if (fault === "hang after") return;
    if (fault === "503 after") return send(res, refused(new Refusal(503, "SlowDown")), now());
    if (fault === "error body") {
      const { body } = refused(new Refusal(500, "InternalError"));
      return send(res, { status: 200, headers: {}, body }, now());
    }
    send(res, spoilt(out, fault), now(), fault === "truncated");
  };
  const server = createServer((req, res) => {
    serve(req, res).catch((e) => res.destroy(e instanceof Error ? e : undefined));
  });
  await new Promise<void>((ready) => server.listen(options.port ?? 0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    keys,
    bucket,
    uploads,
    calls,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Null when the sender went away before its end: nothing that is not whole has an effect. */
async function bodyOf(req: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  try {
    for await (const part of req) parts.push(part);
  } catch {
    return null;
  }
  return Buffer.concat(parts);
}

/** The three ways in which a request can announce the bytes that it carries. */
function checkBody(req: IncomingMessage, bytes: Buffer): void {
  const signed = header(req, "x-amz-content-sha256");
  const digest = (name: "sha256" | "md5", as: "hex" | "base64"): string =>
    createHash(name).update(bytes).digest(as);
  if (!/^[0-9a-f]{64}$/.test(signed)) throw new Refusal(400, "InvalidRequest");
  if (signed !== digest("sha256", "hex")) throw new Refusal(400, "XAmzContentSHA256Mismatch");
  const md5 = header(req, "content-md5");
  if (md5 !== "" && md5 !== digest("md5", "base64")) throw new Refusal(400, "BadDigest");
  const checksum = header(req, "x-amz-checksum-sha256");
  const composite = checksum.includes("-");
  if (checksum !== "" && !composite && checksum !== digest("sha256", "base64"))
    throw new Refusal(400, "BadDigest");
}

function refused({ status, code }: Refusal): Answer {
  return { status, headers: {}, body: Buffer.from(xml("Error", { Code: code, Message: code })) };
}

function spoilt(out: Answer, fault: Fault | null): Answer {
  if (fault !== "flipped" || out.body.byteLength === 0) return out;
  const body = Buffer.from(out.body);
  body[0] = (body[0] ?? 0) ^ 1;
  return { ...out, body };
}

function send(res: ServerResponse, out: Answer, now: number, cut = false): void {
  res.writeHead(out.status, {
    date: new Date(now).toUTCString(),
    "content-length": out.headers["content-length"] ?? String(out.body.byteLength),
    ...out.headers,
  });
  if (!cut) return void res.end(out.body);
  res.write(out.body.subarray(0, Math.floor(out.body.byteLength / 2)));
  setImmediate(() => res.destroy());
}
