import { Sha256 } from "../model/ids.js";
import type { Tags } from "./store.js";

/**
 * Tags as an object's metadata, which is ASCII in a header: what is not plain is percent-encoded.
 * `sha256` is always among them.
 */
export function metadataOf(tags: Tags, sha256: Sha256): Record<string, string> {
  const all = Object.entries({ ...tags, sha256 });
  return Object.fromEntries(all.map(([name, value]) => [name, encodeURIComponent(value)]));
}

/** What an answer says of an object's content. */
interface Described {
  readonly ChecksumSHA256?: string | undefined;
  readonly ChecksumType?: string | undefined;
  readonly Metadata?: Record<string, string> | undefined;
}

/**
 * The SHA-256 that an answer gives: the one that the server computed, else the one that was stored
 * as metadata when the server had verified the bytes; null for an object that somebody else made,
 * and where the two differ: then only the bytes can tell. The checksum of parts (`…-3`) is not that
 * of the file.
 */
export function sha256In(answer: Described): Sha256 | null {
  const stated = Sha256.safeParse(answer.Metadata?.sha256).data ?? null;
  const echoed = echoIn(answer);
  if (echoed === null || stated === null) return echoed ?? stated;
  return echoed === stated ? echoed : null;
}

function echoIn({ ChecksumSHA256: echoed, ChecksumType }: Described): Sha256 | null {
  if (echoed === undefined || ChecksumType === "COMPOSITE" || echoed.includes("-")) return null;
  return Sha256.safeParse(Buffer.from(echoed, "base64").toString("hex")).data ?? null;
}

export function base64Of(sha256: Sha256): string {
  return Buffer.from(sha256, "hex").toString("base64");
}
