import { createHash } from "node:crypto";
import type { Body } from "./body.js";
import type { Sha256 } from "./ids.js";

/**
 * One text for one value: keys sorted by UTF-16 code unit, no white space, safe integers only.
 * This is RFC 8785 restricted to the numbers that this project puts in documents.
 * @throws Error on a number that is not a safe integer: exact decimals are strings here (I009).
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string")
    return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value))
      throw new Error("a document holds safe integers; write decimals as text");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((v) => canonicalJson(v ?? null)).join(",")}]`;
  if (typeof value !== "object" || !isPlain(value))
    throw new Error(`a document cannot hold a ${Object.prototype.toString.call(value)}`);
  const entries = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonicalJson(v)}`).join(",")}}`;
}

/** A Map or a Date would be written as {} without a word. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A document for people and machines: keys in the order given, two spaces, one final line end. */
export function documentText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function sha256Of(text: string | Uint8Array): Sha256 {
  return createHash("sha256").update(text).digest("hex") as Sha256;
}

/** The hash of a value: of the UTF-8 bytes of its canonical JSON. */
export function fingerprint(value: unknown): Sha256 {
  return sha256Of(canonicalJson(value));
}

/** A small text as bytes to keep. */
export function textBody(text: string): Body {
  const bytes = new TextEncoder().encode(text);
  return {
    sha256: sha256Of(bytes),
    size_bytes: bytes.byteLength,
    open: async function* () {
      yield bytes;
    },
  };
}
