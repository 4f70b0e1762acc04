import { z } from "zod";
import { documentText } from "../model/canonical.js";
import { Sha256 } from "../model/ids.js";

/**
 * What a directory store remembers of an object beside it. It is written after the object is whole
 * and synced, so that one which exists says that the create was completed.
 */
export const Sidecar = z.object({
  sha256: Sha256,
  size_bytes: z.int(),
  version: z.string(),
  /**
   * Modification time of the object's file, in milliseconds with a fraction: a cheap sign of
   * change.
   */
  mtime_ms: z.number(),
  tags: z.record(z.string(), z.string()),
});
export type Sidecar = z.infer<typeof Sidecar>;

export function sidecarText(sidecar: Sidecar): string {
  return documentText(sidecar);
}

/** Null for a text that is no sidecar: half of one, as a power cut leaves it. */
export function parseSidecar(text: string): Sidecar | null {
  try {
    return Sidecar.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * An object's version in a store that keeps one version per key: of other bytes, another version.
 */
export function versionOf(sha256: Sha256): string {
  return sha256.slice(0, 16);
}
