import { duckdbDialect } from "../dialects/duckdb.js";
import { type Column, typeOf } from "../model/columns.js";
import type { Relation, RelationFile } from "../model/relation.js";
import { SOURCE_COLUMNS } from "../model/relations.js";

const { id, text, from, type } = duckdbDialect;
const PROVENANCE = new Set<string>(SOURCE_COLUMNS.map((c) => c.name));
/** Bytes of the longest record of a CSV that can be read back; DuckDB's own limit is 2 MB. */
const LONGEST_RECORD = 2 ** 24;
const LINES: readonly Column[] = [
  { name: "line" as Column["name"], type: "integer" },
  { name: "text" as Column["name"], type: "text" },
];

/** Statements that make a relation a view over exactly its files. */
export function viewOf(relation: Relation): string {
  const parts = relation.files.map((file) => fileSelect(file, relation));
  const body = parts.length === 0 ? emptySelect(relation) : parts.join(" UNION ALL ");
  return `CREATE VIEW ${from(relation.name)} AS ${body}`;
}

/** The same columns as an empty table: what SQL is bound against before any file is opened. */
export function tableOf(relation: Relation): string {
  const columns = columnsOf(relation).map((c) => `${id(c.name)} ${type(typeOf(c.type))}`);
  return `CREATE TABLE ${from(relation.name)} (${columns.join(", ")})`;
}

/** The schemas that the relations' names need. */
export function schemasOf(relations: readonly Relation[]): string[] {
  const schemas = relations.flatMap((r) => (r.name.includes(".") ? [r.name.split(".")[0]] : []));
  return [...new Set(schemas)].map((s) => `CREATE SCHEMA IF NOT EXISTS ${id(s ?? "")}`);
}

/** All columns as SQL sees them: the declared ones and, on an input, `_file` and `_line`. */
function columnsOf(relation: Relation): readonly Column[] {
  if (relation.files.some((f) => f.format === "text")) return LINES;
  return isInput(relation) ? [...declared(relation), ...SOURCE_COLUMNS] : relation.columns;
}

function isInput(relation: Relation): boolean {
  return relation.files.some((f) => f.source !== undefined);
}

function declared(relation: Relation): readonly Column[] {
  return isInput(relation)
    ? relation.columns.filter((c) => !PROVENANCE.has(c.name))
    : relation.columns;
}

function emptySelect(relation: Relation): string {
  const nulls = relation.columns.map(
    (c) => `CAST(NULL AS ${type(typeOf(c.type))}) AS ${id(c.name)}`,
  );
  return `SELECT ${nulls.join(", ")} WHERE false`;
}

function fileSelect(file: RelationFile, relation: Relation): string {
  if (file.format === "text") return linesOf(file);
  const casts = declared(relation).map(cast);
  const where = isInput(relation) ? provenance(file) : [];
  return `SELECT ${[...casts, ...where].join(", ")} FROM ${scan(file, relation)}`;
}

function cast(column: Column): string {
  return `CAST(${id(column.name)} AS ${type(typeOf(column.type))}) AS ${id(column.name)}`;
}

function provenance(file: RelationFile): string[] {
  const source = `${text(file.source ?? "")} AS "_file"`;
  const first = file.first_line ?? null;
  if (first === null) return [source, 'CAST("_line" AS BIGINT) AS "_line"'];
  const position = file.format === "parquet" ? "file_row_number" : "row_number() OVER () - 1";
  return [source, `CAST(${first} + ${position} AS BIGINT) AS "_line"`];
}

function scan(file: RelationFile, relation: Relation): string {
  const numbered = isInput(relation) && (file.first_line ?? null) !== null;
  if (file.format === "parquet")
    return `read_parquet(${text(file.path)}${numbered ? ", file_row_number = true" : ""})`;
  const names = declared(relation).map((c): string => c.name);
  if (isInput(relation) && !numbered) names.push("_line");
  return canonicalCsv(file.path, names);
}

/** Our own CSV: no value is an unquoted empty field, '' is a quoted one. */
function canonicalCsv(path: string, names: readonly string[]): string {
  const columns = names.map((n) => `${text(n)}: 'VARCHAR'`).join(", ");
  const dialect = `header = true, delim = ',', quote = '"', escape = '"', new_line = '\\n'`;
  const nulls = "nullstr = '', allow_quoted_nulls = false";
  return (
    `read_csv(${text(path)}, auto_detect = false, columns = {${columns}}, ${dialect}, ${nulls}, ` +
    `max_line_size = ${LONGEST_RECORD}, buffer_size = ${2 * LONGEST_RECORD})`
  );
}

/** Line ends (LF, CRLF) are no part of a line; text after the last one is a line of its own. */
function linesOf(file: RelationFile): string {
  const lines = `string_split(regexp_replace(content, '\\r?\\n$', ''), chr(10))`;
  const whole = `SELECT CASE WHEN content = '' THEN [] ELSE ${lines} END AS l`;
  return (
    `SELECT unnest(range(1, len(l) + 1)) AS "line", ` +
    `regexp_replace(unnest(l), '\\r$', '') AS "text" ` +
    `FROM (${whole} FROM read_text(${text(file.path)}))`
  );
}
