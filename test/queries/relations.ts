import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { duckdbDialect } from "../../src/dialects/duckdb.js";
import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import type { Engine } from "../../src/engines/engine.js";
import { type Column, typeOf } from "../../src/model/columns.js";
import { type Path, RelationRef } from "../../src/model/ids.js";
import type { Relation } from "../../src/model/relation.js";

/** A folder of relations as a run would have them, and the engine that reads them. */
export interface Workbench {
  readonly engine: Engine;
  /** Every value as text of its column's type. */
  readonly table: (
    name: string,
    columns: readonly Column[],
    rows: readonly (readonly (string | null)[])[],
    format?: "csv" | "parquet",
  ) => Promise<Relation>;
  /** Of a SELECT of ours whose columns have these types. */
  readonly select: (name: string, columns: readonly Column[], sql: string) => Promise<Relation>;
  readonly text: (name: string, lines: readonly string[]) => Promise<Relation>;
  readonly close: () => Promise<void>;
}

export async function workbench(): Promise<Workbench> {
  const dir = await mkdtemp(`${tmpdir()}/reads-`);
  const engine = await duckdbInline({ temp: dir });
  let made = 0;
  const path = (ending: string) => `${dir}/${made++}.${ending}` as Path;
  const select = async (
    name: string,
    columns: readonly Column[],
    sql: string,
    format: "csv" | "parquet" = "parquet",
  ): Promise<Relation> => {
    const to = path(format);
    const { rows } = await engine.render({
      sql,
      params: [],
      relations: [],
      sources: [],
      to,
      format,
    });
    return { name: RelationRef.parse(name), columns, files: [{ path: to, format }], rows };
  };
  return {
    engine,
    select,
    table: (name, columns, rows, format) => select(name, columns, valuesSql(columns, rows), format),
    text: async (name, lines) => {
      const to = path("txt");
      await writeFile(to, lines.map((line) => `${line}\n`).join(""));
      return {
        name: RelationRef.parse(name),
        columns: LINES,
        files: [{ path: to, format: "text" }],
        rows: lines.length,
      };
    },
    close: async () => {
      await engine.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const LINES: readonly Column[] = [
  { name: "line" as Column["name"], type: "integer" },
  { name: "text" as Column["name"], type: "text" },
];

/** One column too many keeps a row without columns expressible, and the order of rows. */
function valuesSql(
  columns: readonly Column[],
  rows: readonly (readonly (string | null)[])[],
): string {
  const { id, text, type } = duckdbDialect;
  const typed = columns.map(
    (c, i) => `CAST(${id(`v${i}`)} AS ${type(typeOf(c.type))}) AS ${id(c.name)}`,
  );
  const names = ["nth", ...columns.map((_, i) => `v${i}`)].map(id).join(", ");
  const cells = (row: readonly (string | null)[]) =>
    columns.map((_, i) => (row[i] == null ? "CAST(NULL AS VARCHAR)" : text(row[i])));
  const nulls = columns.map(() => null);
  const values = [nulls, ...rows].map((row, i) => `(${[i, ...cells(row)].join(", ")})`);
  return `SELECT ${typed.join(", ")} FROM (VALUES ${values.join(", ")}) AS t(${names}) WHERE "nth" > 0 ORDER BY "nth"`;
}
