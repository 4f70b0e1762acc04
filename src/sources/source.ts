import type { Sealed } from "../model/body.js";
import type { Outside } from "../model/ids.js";

/** A file outside every run: an export, a job's SQL. */
export interface Found {
  readonly file: Outside;
  /** Its name relative to the source's folder; what manifests and messages say. */
  readonly name: string;
}

/** A source file that a committed run kept, by the name that it came with. */
export interface KeptExport extends Sealed {
  readonly name: string;
  /** Brings it onto this disk, hashed; its path. */
  readonly fetch: () => Promise<string>;
}

/** Files outside a run, only read. The only maker of `Outside`. */
export interface Source {
  /** What this source is called in messages, such as the folder as the user gave it. */
  readonly name: string;
  /**
   * Regular files that match a glob of `*` and `?` within the folder, sorted by name; [] when none
   * does.
   */
  readonly find: (glob: string) => Promise<Found[]>;
  /** Whether the folder is there at all: a folder without the file asks for another remedy. */
  readonly exists: () => Promise<boolean>;
  readonly hash: (file: Outside) => Promise<Sealed>;
  /** Text of a small file by its name within the folder, strict UTF-8. @throws INPUT_MISSING */
  readonly text: (name: string) => Promise<string>;
}
