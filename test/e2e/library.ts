import { PROJECT } from "./product.js";

/** The built library, typed as the sources that it was built from. */
export function library(): Promise<typeof import("../../src/index.js")> {
  return import(`${PROJECT}dist/index.js`);
}

/** Settings of a working folder, for calls of the library. */
export function at(cwd: string) {
  return { cwd, settings: { "log.level": "silent" } } as const;
}
