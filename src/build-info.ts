import { createRequire } from "node:module";

const packaged: { readonly version: string } = createRequire(import.meta.url)("../package.json");

/** The package's version. */
export const VERSION: string = packaged.version;

/**
 * SHA-256 of the `package-lock.json` that this build was made from, for a packed tarball has none.
 * Null when run from sources; `scripts/build.mjs` fills it in.
 */
export const LOCKFILE_SHA256: string | null = null;
