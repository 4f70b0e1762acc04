import { byBytes } from "../folders/disk.js";
import type { Sealed } from "../model/body.js";
import type { Outside } from "../model/ids.js";
import { globTest } from "./glob.js";
import type { KeptExport, Source } from "./source.js";
import { missing } from "./trouble.js";

/** What a committed run was made from, once more as its exports; a file is fetched when found. */
export function keptSource(name: string, files: readonly KeptExport[]): Source {
  const fetched = new Map<string, Sealed>();
  return {
    name,
    exists: async () => true,
    find: async (glob) => {
      const matches = globTest(glob);
      const found = files
        .filter((file) => matches(file.name))
        .sort((a, b) => byBytes(a.name, b.name));
      const all = [];
      for (const file of found) {
        const path = await file.fetch();
        fetched.set(path, file);
        all.push({ file: path as Outside, name: file.name });
      }
      return all;
    },
    hash: async (file) => {
      const sealed = fetched.get(file);
      if (sealed === undefined) throw missing(file, name);
      return { sha256: sealed.sha256, size_bytes: sealed.size_bytes };
    },
    text: async (file) => {
      throw missing(file, name);
    },
  };
}
