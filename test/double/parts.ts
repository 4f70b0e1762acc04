import { createHash } from "node:crypto";
import type { Content, Locked } from "./bucket.js";
import { Refusal } from "./refusal.js";

export interface Upload {
  readonly key: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly locked: Locked | null;
  readonly parts: Map<number, Buffer>;
}

let begun = 0;

export function startUpload(uploads: Map<string, Upload>, of: Omit<Upload, "parts">): string {
  const id = `u${++begun}`;
  uploads.set(id, { ...of, parts: new Map() });
  return id;
}

export function uploadPart(upload: Upload, n: number, bytes: Buffer): string {
  if (!Number.isInteger(n) || n < 1 || n > 10_000) throw new Refusal(400, "InvalidArgument");
  upload.parts.set(n, bytes);
  return md5(bytes).toString("hex");
}

/** The parts that the request names, in its order, each by its ETag. @throws Refusal 400 */
export function complete(upload: Upload, request: string): Content {
  const named = [...request.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
    n: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: /<ETag>(?:&quot;|&#34;|")?([0-9a-f]{32})/.exec(part)?.[1],
  }));
  if (named.length === 0) throw new Refusal(400, "MalformedXML");
  const parts = named.map(({ n, etag }, i) => {
    const bytes = upload.parts.get(n);
    if (n !== i + 1) throw new Refusal(400, "InvalidPartOrder");
    if (bytes === undefined || md5(bytes).toString("hex") !== etag)
      throw new Refusal(400, "InvalidPart");
    return bytes;
  });
  const etag = `${md5(Buffer.concat(parts.map(md5))).toString("hex")}-${parts.length}`;
  const { meta, locked } = upload;
  return { bytes: Buffer.concat(parts), etag, checksum: null, meta, locked };
}

function md5(bytes: Buffer): Buffer {
  return createHash("md5").update(bytes).digest();
}
