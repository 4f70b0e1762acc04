import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import type { Engine } from "../../src/engines/engine.js";
import { sha256Of } from "../../src/model/canonical.js";
import { type Path, RelationName, RelationRef } from "../../src/model/ids.js";
import { InputSpec } from "../../src/model/job.js";
import type { Table } from "../../src/model/relation.js";
import { REJECT_COLUMNS } from "../../src/model/relations.js";
import { csvReader } from "../../src/readers/csv.js";
import type { Reader, Reading, ReadRequest } from "../../src/readers/reader.js";

const INPUT = RelationName.parse("ledger");

/** A reading, its relation in file order with `_file` and `_line`, and its rejects with `raw`. */
export interface Seen extends Reading {
  readonly table: Table["rows"];
  readonly refused: Table["rows"];
  /** SHA-256 of the typed files and of the rejects. */
  readonly hashes: readonly string[];
}

export interface Desk {
  readonly engine: Engine;
  readonly request: (
    files: Readonly<Record<string, string | Uint8Array>>,
    spec: unknown,
  ) => ReadRequest;
  readonly read: (
    files: Readonly<Record<string, string | Uint8Array>> | string | Uint8Array,
    spec: unknown,
  ) => Promise<Seen>;
}

/** A reader over files of its own in a folder of its own, and what the engine then sees. */
export async function desk(reader: Reader = csvReader()): Promise<Desk> {
  const root = mkdtempSync(join(tmpdir(), "tieout-readers-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const engine = await duckdbInline({ temp: root });
  let attempts = 0;
  const request: Desk["request"] = (files, spec) => {
    const dir = join(root, String(attempts++));
    mkdirSync(dir);
    const at = (name: string) => join(dir, name) as Path;
    const pinned = Object.entries(files).map(([source, bytes], n) => {
      writeFileSync(at(`in.${n}`), bytes);
      return { path: at(`in.${n}`), source };
    });
    return {
      input: INPUT,
      spec: InputSpec.parse({ file: "*.csv", ...Object(spec) }),
      files: pinned,
      typed: (n) => at(`typed.${n}.parquet`),
      rejects: at("rejects.csv"),
    };
  };
  const read: Desk["read"] = async (files, spec) => {
    const named =
      typeof files === "string" || files instanceof Uint8Array ? { "ledger.csv": files } : files;
    const asked = request(named, spec);
    const reading = await reader.read(asked, engine);
    for (const n of asked.files.keys())
      if (existsSync(asked.typed(asked.files.length + n))) throw new Error("a spare file is left");
    const { relation } = reading;
    const from = engine.dialect.from(relation.name);
    const all = { params: [], limit: 1_000_000 };
    const { rows: table } = await engine.ask({
      ...{ ...all, sql: `SELECT * FROM ${from} ORDER BY _file, _line`, relations: [relation] },
    });
    const refused = reading.rejects
      ? await engine.ask({
          ...all,
          sql: "SELECT * FROM ledger_rejects",
          relations: [
            {
              ...relation,
              name: RelationRef.parse("ledger_rejects"),
              columns: REJECT_COLUMNS,
              files: [reading.rejects.file],
            },
          ],
        })
      : { rows: [] };
    const written = [...relation.files, ...(reading.rejects ? [reading.rejects.file] : [])];
    const hashes = written.map((f) => sha256Of(readFileSync(f.path)));
    return { ...reading, table, refused: refused.rows, hashes };
  };
  return { engine, request, read };
}
