import type { Column } from "./columns.js";
import { ColumnName, RelationName, RelationRef } from "./ids.js";
import { formatOf, type InputSpec } from "./job.js";
import type { AttemptLayout } from "./layout.js";
import type { InputRecord, PreviousRecord, StepRecord } from "./records.js";
import type { Relation, RelationFile } from "./relation.js";

/** The relations that records describe, in an attempt's folder. Pure: no file is looked at. */
type Layout = Pick<AttemptLayout, "at">;

/** Declared columns of an input in order, each followed by its marker column. */
export function inputColumns(columns: InputSpec["columns"]): Column[] {
  return Object.entries(columns).flatMap(([name, { type, markers }]) => [
    { name: ColumnName.parse(name), type },
    ...(markers ? [{ name: ColumnName.parse(`${name}_marker`), type: "text" }] : []),
  ]);
}

/** Columns of every input's `<input>_rejects`. */
export const REJECT_COLUMNS: readonly Column[] = (
  [
    ["file", "text"],
    ["line", "integer"],
    ["column", "text"],
    ["code", "text"],
    ["reason", "text"],
    ["raw", "text"],
  ] as const
).map(([name, type]) => ({ name: name as Column["name"], type }));

/** Columns of every text: a log, an offloaded output, a history. */
export const TEXT_COLUMNS: readonly Column[] = [
  { name: "line" as Column["name"], type: "integer" },
  { name: "text" as Column["name"], type: "text" },
];

/** Columns that every input relation has beside its own: where a row came from. */
export const SOURCE_COLUMNS: readonly Column[] = [
  { name: "_file" as Column["name"], type: "text" },
  { name: "_line" as Column["name"], type: "integer" },
];

export function inputRelation(record: InputRecord, layout: Layout): Relation {
  const files = record.files.map(
    (f): RelationFile => ({
      path: layout.at(f.typed),
      format: "parquet",
      source: f.source,
      first_line: f.first_line,
    }),
  );
  return relation(record.name, record.columns, files, record.rows);
}

/** Without rows when the input had no rejects: SQL may read it either way. */
export function rejectsRelation(record: InputRecord, layout: Layout): Relation {
  const { name, rejects, rejected } = record;
  const files: RelationFile[] =
    rejects === null ? [] : [{ path: layout.at(rejects.path), format: "csv" }];
  return relation(rejectsName(name), REJECT_COLUMNS, files, rejected);
}

export function previousRelation(record: PreviousRecord, layout: Layout): Relation {
  const from = record.from;
  const files: RelationFile[] =
    from === null ? [] : [{ path: layout.at(from.path), format: from.format }];
  return relation(`previous.${record.name}`, record.columns, files, record.rows);
}

/** A step's file as it is read: the Parquet twin where the file itself cannot be queried. */
export function stepRelation(record: StepRecord, layout: Layout): Relation {
  const file = record.twin ?? record.file;
  const format = record.twin === null && formatOf(record.file.name) === "csv" ? "csv" : "parquet";
  return relation(
    record.name,
    record.columns,
    [{ path: layout.at(file.path), format }],
    record.rows,
  );
}

export function rejectsName(input: RelationName): RelationName {
  return RelationName.parse(`${input}_rejects`);
}

function relation(
  name: string,
  columns: readonly Column[],
  files: readonly RelationFile[],
  rows: number,
): Relation {
  return { name: RelationRef.parse(name), columns, files, rows };
}
