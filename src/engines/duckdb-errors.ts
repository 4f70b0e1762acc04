import { type Code, nearest, TieoutError } from "../model/errors.js";

type Place = { readonly subject: string; readonly at?: { line: number; column: number } };

/** What DuckDB told; `kind` is the first word or words of its message, in lower case. */
interface Told {
  readonly kind: string;
  readonly message: string;
  readonly candidates: readonly string[];
  readonly offset: number | null;
}

/** `line:column` of a byte offset, both from 1; columns count characters. */
function placeOf(sql: string, offset: number): { line: number; column: number } {
  const before = Buffer.from(sql, "utf8").subarray(0, offset).toString("utf8");
  const lines = before.split("\n");
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
}

export function subjectAt(sql: string | null, offset: number | null): Place {
  if (sql === null || offset === null) return { subject: "sql" };
  const at = placeOf(sql, offset);
  return { subject: `sql:${at.line}:${at.column}`, at };
}

/** Marks of errors that our own SQL raises with `error()`. Foreign SQL cannot call it. */
export const MARK = {
  inexact: "tieout inexact",
  zero: "tieout money_div zero",
  digits: "tieout money_div digits",
} as const;

/** Errors whose text is about the SQL alone: nothing was read yet. */
const BINDING = /^(?:binder|catalog|parser|syntax|not )/;

interface Said {
  readonly code: Code;
  readonly cause: string;
  readonly remedy: string;
}
const sql = (cause: string, remedy: string): Said => ({ code: "SQL", cause, remedy });

const MARKED: Readonly<Record<string, Said>> = {
  [MARK.zero]: sql(
    "money_div divided by zero",
    "write money_div(a, nullif(b, 0), scale) for no value",
  ),
  [MARK.digits]: sql(
    "money_div got a value of more than 10 decimals",
    "cast it to at most 10 decimals first",
  ),
};
const TIMED_OUT: Said = {
  code: "TIMEOUT",
  cause: "the SQL ran longer than its time limit",
  remedy: "filter earlier, join on keys, or split the step in two",
};
const RUNNING: Readonly<Record<string, Said>> = {
  "out of memory": {
    code: "MEMORY",
    cause: "the engine's memory or spill limit was reached",
    remedy: "select fewer rows or columns, or raise the engine's memory limit",
  },
  interrupt: TIMED_OUT,
  "out of range": sql(
    "a number left the range of its type",
    "cast to a wider DECIMAL, at most DECIMAL(28,s), before computing",
  ),
  "invalid input": sql("a function refused a value", "guard the function's argument with a CASE"),
  permission: sql(
    "the SQL reached for what this engine keeps closed",
    "read only the run's relations",
  ),
  io: {
    code: "DISK",
    cause: "the engine could not read or write a file of the run",
    remedy: "look at the disk and run again",
  },
};
const DISK_FULL: Said = {
  code: "DISK_FULL",
  cause: "the disk is full",
  remedy: "free space below the runs' folder and run again",
};

/**
 * DuckDB's error as ours. Its own text may show cells and paths (I018): what it says while binding
 * is about the SQL alone and is passed on, what it says while running is replaced.
 */
export function engineError(e: unknown): unknown {
  if (e instanceof TieoutError || !(e instanceof Error)) return e;
  const told = read(e.message);
  if (told === null) return e;
  const place = { subject: "sql" }; // offsets here are into SQL of ours around the caller's
  return BINDING.test(told.kind) ? binding(told, place) : said(running(told), place);
}

/** True when the error is `error(mark)` of our own SQL. */
export function isMark(e: unknown, mark: string): boolean {
  return e instanceof Error && read(e.message)?.message === mark;
}

/** The answer of json_serialize_sql or json_serialize_plan when it is an error. */
export function toldError(
  answer: {
    readonly error_type: string;
    readonly error_message: string;
    readonly position?: string;
    readonly candidates?: string;
  },
  sql: string,
): TieoutError {
  const told = toldOf(answer.error_type, answer.error_message, answer);
  return binding(told, subjectAt(sql, told.offset));
}

/** The text is JSON as the session asks for; errors from before that have DuckDB's plain form. */
function read(text: string): Told | null {
  if (!text.startsWith("{")) {
    const m = /^([A-Za-z -]+) Error: ([\s\S]*)$/.exec(text);
    return m ? toldOf(m[1] ?? "", m[2] ?? "", {}) : null;
  }
  const json: Record<string, string> = JSON.parse(text);
  return toldOf(json.exception_type ?? "", json.exception_message ?? "", json);
}

function toldOf(
  kind: string,
  message: string,
  more: { readonly position?: string; readonly candidates?: string },
): Told {
  return {
    kind: kind.toLowerCase(),
    message,
    candidates: more.candidates?.split(",") ?? [],
    offset: more.position === undefined ? null : Number(more.position),
  };
}

function said({ code, cause, remedy }: Said, place: Place): TieoutError {
  return new TieoutError(code, { ...place, cause, remedy });
}

function running({ kind, message }: Told): Said {
  const marked = MARKED[message];
  if (marked !== undefined) return marked;
  if (kind === "conversion")
    return sql(
      `a value could not be converted${typeIn(message)}`,
      "use TRY_CAST or a CASE for values of another form",
    );
  if (kind === "io" && /No space left|File too large|quota/i.test(message)) return DISK_FULL;
  if (/^More than one row returned by a subquery/.test(message))
    return sql(
      "a subquery used as a value returned more than one row",
      "aggregate in the subquery, or join it",
    );
  return RUNNING[kind] ?? sql("the engine could not run the SQL", "write the SELECT another way");
}

/** The type after "to", one of a few words and so never data. */
function typeIn(message: string): string {
  const m = /\bto (?:type )?(DECIMAL\(\d+,\d+\)|U?INT\d+|BOOL|DATE|TIMESTAMP)\b/.exec(message);
  return m ? ` to ${m[1]}` : "";
}

function binding(told: Told, place: Place): TieoutError {
  const column = /Referenced column "([^"]*)"/.exec(told.message)?.[1];
  if (column === undefined) {
    const first = told.message.split("\n")[0] ?? "";
    const cause = first.replaceAll(/(?:\/[^\s'"]+)+/g, "<path>").slice(0, 300);
    return said(sql(cause, "correct the SQL at this place"), place);
  }
  const near = nearest(column, told.candidates) ?? told.candidates[0];
  return new TieoutError("UNKNOWN_COLUMN", {
    ...place,
    cause: `there is no column ${column}`,
    remedy:
      near === undefined ? "name a column of the relations in FROM" : `perhaps you mean ${near}`,
  });
}
