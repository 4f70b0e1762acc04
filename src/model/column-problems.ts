import { type ColumnType, typeText } from "./columns.js";
import { nearest } from "./errors.js";
import { type DocumentPath, type Problem, wrong, wrongKey } from "./mistake.js";

/** Declared columns by name, in their order. */
export type Columns = ReadonlyMap<string, ColumnType>;

const MOST_COLUMNS = 200;
const RESERVED = ["_file", "_line"];

/**
 * A name that is no column, with the nearest that is; `spell` puts a column's name into the text
 * meant.
 */
export function unknownColumn(
  path: DocumentPath,
  name: string,
  columns: Columns,
  spell: (column: string) => string = (c) => c,
): Problem[] {
  if (columns.has(name)) return [];
  const near = nearest(name, columns.keys());
  const expected = `one of ${[...columns.keys()].join(", ")}`;
  return [wrong(path, `no column ${name}`, expected, near === null ? null : spell(near))];
}

/** A list of columns in which each exists. */
export function unknownColumns(
  path: DocumentPath,
  names: readonly string[],
  columns: Columns,
): Problem[] {
  return names.flatMap((name, i) => unknownColumn([...path, i], name, columns));
}

/**
 * What is wrong with a set of declared columns: their number, reserved names, and currencies that
 * are not in a text column beside the amount. `path` leads to the mapping of columns.
 */
export function columnsProblems(path: DocumentPath, columns: Columns): Problem[] {
  const found: Problem[] = [];
  if (columns.size === 0) found.push(wrong(path, "there is no column", "at least one column"));
  if (columns.size > MOST_COLUMNS)
    found.push(wrong(path, `there are ${columns.size} columns`, `at most ${MOST_COLUMNS}`));
  for (const name of RESERVED.filter((r) => columns.has(r))) {
    const message = `${name} is where the source of an input's row stands`;
    found.push(wrongKey([...path, name], message, "another name", `source${name}`));
  }
  const texts: Columns = new Map([...columns].filter(([, t]) => t.kind === "text"));
  for (const [name, type] of columns) {
    if (type.kind !== "money_by") continue;
    const here = [...path, name, "type"];
    const spell = (column: string): string =>
      typeText({ ...type, by: type.by }).replace(type.by, column);
    if (!columns.has(type.by)) found.push(...unknownColumn(here, type.by, texts, spell));
    else if (!texts.has(type.by))
      found.push(wrong(here, `${type.by} is not text`, "a text column that holds a currency code"));
  }
  return found;
}
