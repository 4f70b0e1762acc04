import { renameSync } from "node:fs";
import type { Engine } from "../engines/engine.js";
import type { Column } from "../model/columns.js";
import { ColumnName, type RelationName, RelationRef } from "../model/ids.js";
import type { Relation, RelationFile } from "../model/relation.js";
import type { TypedSelect } from "./csv-select.js";
import type { Reading, ReadRequest, Reject } from "./reader.js";
import { spareOf, type TypedFile } from "./typed-file.js";

const WHY: Column = { name: ColumnName.parse("_reject"), type: "text" };
const SHOWN = 5;

/** Records of a typed file that are no rows. */
export async function countRejects(
  input: RelationName,
  file: RelationFile,
  rows: number,
  engine: Engine,
): Promise<number> {
  const relation = withWhy(input, [], [file], rows);
  const sql = `SELECT count(_reject) AS n FROM ${engine.dialect.from(relation.name)}`;
  const table = await engine.ask({ sql, params: [], relations: [relation], limit: 1 });
  return Number(table.rows[0]?.[0]);
}

/**
 * Writes the rejects of all files, in their order, and gives the first of them without their text.
 */
export async function writeRejects(
  request: ReadRequest,
  typed: readonly TypedFile[],
  select: TypedSelect,
  engine: Engine,
): Promise<Reading["rejects"]> {
  const files = typed.flatMap((t) => (t.rejected > 0 ? [t.file] : []));
  const rows = typed.reduce((n, t) => n + t.typed, 0);
  const relation = withWhy(request.input, [], files, rows);
  const question = { sql: rejectsSql(relation, select, engine), params: [], relations: [relation] };
  const to = request.rejects;
  await engine.render({ ...question, sources: [], to, format: "csv" });
  const { rows: first } = await engine.ask({ ...question, limit: SHOWN });
  return { file: { path: to, format: "csv" }, first: first.map(rejectOf) };
}

function rejectsSql(relation: Relation, { whys }: TypedSelect, { dialect }: Engine): string {
  const list = (of: "column" | "code" | "reason"): string =>
    `[${whys.map((w) => dialect.text(w[of])).join(", ")}][why + 1] AS ${dialect.id(of)}`;
  const parts = [
    "_file AS file, _line AS line",
    "CAST(split_part(_reject, ' ', 1) AS INTEGER) AS why",
    "substr(_reject, strpos(_reject, ' ') + 1) AS raw",
  ];
  const why = [list("column"), list("code"), list("reason")].join(", ");
  return [
    `SELECT file, line, ${why}, raw FROM`,
    `(SELECT ${parts.join(", ")} FROM ${dialect.from(relation.name)} WHERE _reject IS NOT NULL)`,
    "ORDER BY file, line",
  ].join(" ");
}

function rejectOf(row: readonly (string | null)[]): Reject {
  const [file, line, column, code, reason] = row.map((cell) => cell ?? "");
  if (file === undefined || column === undefined || code === undefined || reason === undefined)
    throw new Error("a reject has five columns");
  return { file, line: Number(line), column, code, reason };
}

/** Replaces the n-th typed file by one of its rows alone, with `_line`. */
export async function keepRows(
  request: ReadRequest,
  n: number,
  { file, typed, rejected }: TypedFile,
  { columns }: TypedSelect,
  engine: Engine,
): Promise<RelationFile> {
  const { dialect } = engine;
  const relation = withWhy(request.input, columns, [file], typed);
  const names = columns.map((c) => dialect.id(c.name)).join(", ");
  const sql = `SELECT ${names}, _line FROM ${dialect.from(relation.name)} WHERE _reject IS NULL`;
  const to = spareOf(request, n);
  const question = { sql, params: [], relations: [relation], sources: [] };
  const { rows } = await engine.render({ ...question, to, format: "parquet" });
  if (rows !== typed - rejected)
    throw new Error(`${rows} rows of ${typed} records with ${rejected} rejects`);
  renameSync(to, file.path);
  return { ...file, first_line: null };
}

function withWhy(
  input: RelationName,
  columns: readonly Column[],
  files: readonly RelationFile[],
  rows: number,
): Relation {
  return { name: RelationRef.parse(input), columns: [...columns, WHY], files, rows };
}
