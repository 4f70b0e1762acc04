import type { Dialect } from "../dialects/dialect.js";
import { type Column, typeOf } from "../model/columns.js";
import { TieoutError } from "../model/errors.js";
import type { Path, RelationName } from "../model/ids.js";
import type { InputColumnSpec, InputSpec } from "../model/job.js";
import { inputColumns } from "../model/relations.js";
import type { Positions } from "./csv-columns.js";
import type { CsvForm } from "./csv-form.js";
import type { Typing } from "./misfits.js";
import { RECORD_FAULTS } from "./record-faults.js";
import { typingOf } from "./typing.js";
import { readPattern } from "./typing-dates.js";

/** Why a record is no row: a column ("" for the whole record), a code, a reason. */
export interface Why {
  readonly column: string;
  readonly code: string;
  readonly reason: string;
}

/** The typed form of an input's files, as SQL that depends on a file only by its place. */
export interface TypedSelect {
  /** Declared columns in order, each followed by its marker column. */
  readonly columns: readonly Column[];
  /**
   * By number: the digits at the start of `_reject`, before a space and the text that did not fit.
   */
  readonly whys: readonly Why[];
  /**
   * All records of a file, in its order, with `_reject` at the end (null: a row) and, numbered,
   * `_line`.
   */
  readonly of: (source: CsvSource) => string;
}

/** One file that the engine may read as it is; `numbered` is a NumberedCopy. */
export interface CsvSource {
  readonly path: Path;
  readonly form: CsvForm;
  readonly positions: Positions;
  readonly fields: number;
  readonly numbered: boolean;
  /**
   * Some record holds a line end: read by one thread, because parallel readers have lost such rows.
   */
  readonly broken: boolean;
}

/** @throws JOB_INVALID for column options that cannot be */
export function typedSelect(input: RelationName, spec: InputSpec, dialect: Dialect): TypedSelect {
  refuseOptions(input, spec);
  const whys: Why[] = RECORD_FAULTS.map((fault) => ({ column: "", ...fault }));
  const declared = Object.entries(spec.columns);
  const columns = inputColumns(spec.columns);
  const parts = declared.map(([name, column], n) => {
    const by = typeOf(column.type);
    const currency = by.kind === "money_by" ? `t${declared.findIndex(([d]) => d === by.by)}` : null;
    const typing = typingOf(by, column, `t${n}`, currency);
    return columnOf({ name, column, typing, dialect, text: `t${n}`, n }, whys);
  });
  return { columns, whys, of: (source) => selectOf(source, parts, dialect) };
}

interface Part {
  readonly n: number;
  readonly text: string;
  readonly attempt: string | null;
  readonly value: string;
  readonly outputs: readonly string[];
  /** True where the record is rejected for this column, and the number and text that say why. */
  readonly bad: string | null;
  readonly reject: string;
}

interface Typed {
  readonly name: string;
  readonly column: InputColumnSpec;
  readonly typing: Typing;
  readonly dialect: Dialect;
  readonly text: string;
  readonly n: number;
}

/** Registers the column's misfits among `whys` and spells its part of the SELECT. */
function columnOf({ name, column, typing, dialect, text, n }: Typed, whys: Why[]): Part {
  const isText = column.type === "text";
  const blank = column.blank ?? (isText ? "keep" : "reject");
  const markers = column.markers?.map(dialect.text).join(", ");
  const empty = `${text} = ''`;
  const marked = markers ? [`${text} IN (${markers})`] : [];
  const absent = [...(blank === "null" ? [empty] : []), ...marked].join(" OR ");
  const misfits = [
    ...(blank === "reject" ? [{ when: empty, code: "BLANK", reason: "it is blank" }] : []),
    ...typing.misfits,
  ];
  const cases = misfits.map(({ when, code, reason }) => {
    whys.push({ column: name, code, reason });
    return `WHEN ${when} THEN '${whys.length - 1} '`;
  });
  const value = typing.value(`a${n}`);
  const missed = isText ? (blank === "reject" ? empty : null) : `v${n} IS NULL`;
  return {
    ...{ n, text, attempt: typing.attempt },
    value: absent ? `CASE WHEN NOT (${absent}) THEN ${value} END` : value,
    outputs: [
      `v${n} AS ${dialect.id(name)}`,
      ...marked.map((is) => `CASE WHEN ${is} THEN ${text} END AS ${dialect.id(`${name}_marker`)}`),
    ],
    bad: missed === null ? null : absent ? `(${missed} AND NOT (${absent}))` : missed,
    reject: `CASE ${cases.join(" ")} END || ${text}`,
  };
}

function selectOf(source: CsvSource, parts: readonly Part[], dialect: Dialect): string {
  const { positions, numbered } = source;
  const texts = parts.map((p) => `c${positions[p.n]} AS ${p.text}`);
  const front = numbered ? ["_line", "_fault", "c0"] : [];
  const attempts = parts.flatMap((p) => (p.attempt ? [`${p.attempt} AS a${p.n}`] : []));
  const values = parts.map((p) => `${p.value} AS v${p.n}`);
  const bad = parts.flatMap((p) => (p.bad ? [p] : []));
  const any = bad.map((p) => p.bad).join(" OR ") || "false";
  const why = bad.map((p) => `WHEN ${p.bad} THEN ${p.reject}`).join(" ");
  const fit =
    bad.length > 0 ? `CASE WHEN ${any} THEN CASE ${why} END END` : "CAST(NULL AS VARCHAR)";
  const reject = numbered ? `CASE WHEN _fault <> '' THEN _fault || ' ' || c0 ELSE ${fit} END` : fit;
  const line = numbered ? ["CAST(_line AS BIGINT) AS _line"] : [];
  const out = [...parts.flatMap((p) => p.outputs), ...line, `${reject} AS _reject`];
  return [
    `SELECT ${out.join(", ")} FROM`,
    `(SELECT *, ${values.join(", ")} FROM`,
    `(SELECT ${["*", ...attempts].join(", ")} FROM`,
    `(SELECT ${[...front, ...texts].join(", ")} FROM ${scan(source, dialect)})))`,
  ].join(" ");
}

/** Strict, every field as the text it is: an empty one is '', never null. */
function scan({ path, form, fields, numbered, broken }: CsvSource, dialect: Dialect): string {
  const numbers = Array.from({ length: fields }, (_, i) => `c${i}`);
  const names = (numbered ? ["_line", "_fault", ...numbers] : numbers).map(dialect.text);
  const quote = dialect.text(String.fromCharCode(form.quote));
  const options = [
    "auto_detect = false, strict_mode = true",
    `header = ${form.header && !numbered}`,
    `delim = ${dialect.text(String.fromCharCode(form.delimiter))}`,
    `quote = ${quote}, escape = ${quote}`,
    `columns = {${names.map((n) => `${n}: 'VARCHAR'`).join(", ")}}`,
    `force_not_null = [${names.join(", ")}]`,
    `parallel = ${!broken}`,
    // Guessed, it would be the first line end within quotes.
    ...(numbered ? ["new_line = '\\n'"] : []),
  ];
  return `read_csv(${dialect.text(path)}, ${options.join(", ")})`;
}

function refuseOptions(input: RelationName, spec: InputSpec): void {
  for (const [name, column] of Object.entries(spec.columns)) {
    const type = typeOf(column.type);
    const cause =
      (column.decimal ?? ".") === column.thousands
        ? "its decimal sign and its grouping sign are the same"
        : column.blank === "keep" && type.kind !== "text"
          ? "blank: keep is for text; another type has no value for it"
          : column.pattern !== undefined &&
              readPattern(column.pattern, type.kind === "timestamp") === null
            ? "its pattern does not name year, month and day once each (YYYY MM DD HH mm ss)"
            : type.kind === "money_by" && spec.columns[type.by]?.type !== "text"
              ? `its currency column ${type.by} is not a declared text column`
              : null;
    if (cause !== null)
      throw new TieoutError("JOB_INVALID", {
        subject: `inputs.${input}.columns.${name}`,
        cause,
        remedy: "correct the column in job.yaml",
      });
  }
}
