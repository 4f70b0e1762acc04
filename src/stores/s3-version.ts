import type { Sha256 } from "../model/ids.js";
import { versionOf } from "./sidecar.js";

/**
 * A version is the server's where the bucket keeps versions, and a part of the content's hash where
 * it keeps one object per key. So a receipt names its bytes in both, also when somebody switches
 * versioning on later.
 */
export function versionIn(id: string | undefined, sha256: Sha256): string {
  return id === undefined || id === "null" || id === "" ? versionOf(sha256) : id;
}

/** The server's id to ask for; undefined when the version is one of content. */
export function serverVersion(version: string | undefined): string | undefined {
  return version === undefined || /^[0-9a-f]{16}$/.test(version) ? undefined : version;
}
