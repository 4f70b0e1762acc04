import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import type { Path } from "../../src/model/ids.js";
import { csvReader } from "../../src/readers/csv.js";
import type { Workbench } from "./workbench.js";

export interface OpenBench extends Workbench {
  /** A new empty folder that is gone after `close`. */
  readonly folder: () => Path;
  readonly close: () => Promise<void>;
}

/** A workbench in folders of its own, with DuckDB in this process. */
export async function openBench(): Promise<OpenBench> {
  const home = mkdtempSync(join(tmpdir(), "tieout-jobs-"));
  const folder = (): Path => mkdtempSync(join(home, "f-")) as Path;
  const engine = await duckdbInline({ temp: folder() });
  return {
    engine,
    reader: csvReader(),
    root: folder(),
    folder,
    close: async () => {
      await engine.close();
      rmSync(home, { recursive: true });
    },
  };
}
