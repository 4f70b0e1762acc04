import { byBytes } from "../folders/disk.js";
import { sha256Of } from "../model/canonical.js";
import type { Outside } from "../model/ids.js";
import { globTest, pathParts } from "./glob.js";
import type { Source } from "./source.js";
import { missing, strictText } from "./trouble.js";

/** A source in memory. Its `Outside` paths lead nowhere on a real disk. */
export interface MemorySource extends Source {
  /** The bytes of a file that `find` gave; null for any other. */
  readonly read: (file: string) => Uint8Array | null;
  /** Adds a file, or replaces it as an export that came anew. */
  readonly put: (name: string, content: string | Uint8Array) => void;
  readonly remove: (name: string) => void;
}

const ROOT = "/memory-source/";

/** @param files by their names within the source, which may have folders: `2026/refunds.csv` */
export function memorySource(
  files: Readonly<Record<string, string | Uint8Array>>,
  name = "memory",
): MemorySource {
  const held = new Map<string, Uint8Array>();
  const put: MemorySource["put"] = (file, content) => {
    pathParts(file);
    held.set(file, typeof content === "string" ? Buffer.from(content) : content);
  };
  for (const [file, content] of Object.entries(files)) put(file, content);
  const read = (file: string): Uint8Array | null =>
    file.startsWith(ROOT) ? (held.get(file.slice(ROOT.length)) ?? null) : null;
  return {
    name,
    read,
    put,
    remove: (file) => {
      held.delete(file);
    },
    find: async (glob) => {
      return [...held.keys()]
        .filter(globTest(glob))
        .sort(byBytes)
        .map((file) => ({ file: `${ROOT}${file}` as Outside, name: file }));
    },
    exists: async () => true,
    hash: async (file) => {
      const bytes = read(file);
      if (bytes === null) throw missing(file.slice(ROOT.length), name);
      return { sha256: sha256Of(bytes), size_bytes: bytes.byteLength };
    },
    text: async (file) => {
      pathParts(file);
      const bytes = held.get(file);
      if (bytes === undefined) throw missing(file, name);
      return strictText(bytes, file);
    },
  };
}
