import type { Sha256 } from "./ids.js";

/** What is known of a file whose bytes were hashed: 64 hex digits and the size in bytes. */
export interface Sealed {
  readonly sha256: Sha256;
  readonly size_bytes: number;
}

/**
 * Bytes to be kept. `open` may be called again after a failure and each time yields the same bytes,
 * because a retry needs a fresh stream. `file` is the local path where the bytes already lie in a
 * file.
 */
export interface Body extends Sealed {
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly file?: string;
}
