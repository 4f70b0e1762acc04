import { createHash } from "node:crypto";

/** RFC 9562's namespace of names that are URLs or URNs. */
const URL_NAMESPACE = "6ba7b811-9dad-11d1-80b4-00c04fd430c8";

/**
 * The version 5 UUID of a URL or URN: the same name always has the same one (RFC 9562 §5.5), as
 * lower-case text.
 */
export function uuidOf(url: string): string {
  const bytes = createHash("sha1")
    .update(Buffer.from(URL_NAMESPACE.replaceAll("-", ""), "hex"))
    .update(url)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [0, 8, 12, 16, 20].map((at, i, all) => hex.slice(at, all[i + 1])).join("-");
}
