import { nearest, TieoutError } from "../model/errors.js";

interface Told {
  readonly kind: string;
  readonly message: string;
  readonly name: string | null;
  readonly candidates: readonly string[];
  readonly offset: number | null;
}

/** `line:column` of a byte offset, both from 1; columns count characters. */
export function placeOf(sql: string, offset: number): { line: number; column: number } {
  const before = Buffer.from(sql, "utf8").subarray(0, offset).toString("utf8");
  const lines = before.split("\n");
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
}

export function subjectAt(sql: string | null, offset: number | null) {
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

/**
 * DuckDB's error as ours. Its own text may show cells and paths (I018): what it says while binding
 * is about the SQL alone and is passed on, what it says while running is replaced.
 */
export function engineError(e: unknown): unknown {
  if (e instanceof TieoutError || !(e instanceof Error)) return e;
  const told = read(e.message);
  if (told === null) return e;
  const place = { subject: "sql" }; // offsets here are into SQL of ours around the caller's
  return running(told, place) ?? binding(told, place);
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
    readonly name?: string;
    readonly candidates?: string;
  },
  sql: string,
): TieoutError {
  const told = {
    kind: answer.error_type,
    message: answer.error_message,
    name: answer.name ?? null,
    candidates: answer.candidates?.split(",") ?? [],
    offset: answer.position === undefined ? null : Number(answer.position),
  };
  return binding(told, subjectAt(sql, told.offset));
}

function read(text: string): Told | null {
  const json = text.startsWith("{") ? (JSON.parse(text) as Record<string, string>) : null;
  if (json === null) {
    const m = /^([A-Za-z -]+) Error: ([\s\S]*)$/.exec(text);
    return m
      ? { kind: m[1] ?? "", message: m[2] ?? "", name: null, candidates: [], offset: null }
      : null;
  }
  return {
    kind: json.exception_type ?? "",
    message: json.exception_message ?? "",
    name: json.name ?? null,
    candidates: json.candidates?.split(",") ?? [],
    offset: json.position === undefined ? null : Number(json.position),
  };
}

type Place = { readonly subject: string; readonly at?: { line: number; column: number } };

function running(told: Told, place: Place): TieoutError | null {
  const say = (
    code: "SQL" | "MEMORY" | "DISK_FULL" | "DISK" | "TIMEOUT",
    cause: string,
    remedy: string,
  ) => new TieoutError(code, { ...place, cause, remedy });
  if (told.message === MARK.zero)
    return say(
      "SQL",
      "money_div divided by zero",
      "write money_div(a, nullif(b, 0), scale) for no value",
    );
  if (told.message === MARK.digits)
    return say(
      "SQL",
      "money_div got a value of more than 10 decimals",
      "cast it to at most 10 decimals first",
    );
  switch (told.kind) {
    case "Out of Memory":
      return say(
        "MEMORY",
        "the engine's memory or spill limit was reached",
        "select fewer rows or columns, or raise the engine's memory limit",
      );
    case "INTERRUPT":
    case "Interrupt":
      return say(
        "TIMEOUT",
        "the SQL ran longer than its time limit",
        "filter earlier, join on keys, or split the step in two",
      );
    case "Conversion":
      return say(
        "SQL",
        `a value could not be converted${typeIn(told.message)}`,
        "use TRY_CAST or a CASE for values of another form",
      );
    case "Out of Range":
      return say(
        "SQL",
        "a number left the range of its type",
        "cast to a wider DECIMAL, at most DECIMAL(28,s), before computing",
      );
    case "IO":
      return /No space left|File too large|quota/i.test(told.message)
        ? say("DISK_FULL", "the disk is full", "free space below the runs' folder and run again")
        : say(
            "DISK",
            "the engine could not read or write a file of the run",
            "look at the disk and run again",
          );
    case "Invalid Input":
      return say("SQL", invalidInput(told.message), "guard the function's argument with a CASE");
    case "Permission":
      return say(
        "SQL",
        "the SQL reached for what this engine keeps closed",
        "read only the run's relations",
      );
    default:
      return null;
  }
}

function invalidInput(message: string): string {
  return /More than one row returned by a subquery/.test(message)
    ? "a subquery used as a value returned more than one row"
    : "a function refused a value";
}

/** The type that DuckDB names last, which is never data. */
function typeIn(message: string): string {
  const m =
    /\b(DECIMAL\(\d+,\d+\)|INT\d+|UINT\d+|BOOL(?:EAN)?|DATE|TIMESTAMP)\b(?!.*\b(?:DECIMAL|INT\d))/.exec(
      message,
    );
  return m ? ` to ${m[1]}` : "";
}

function binding(told: Told, place: Place): TieoutError {
  const column = /Referenced column "([^"]*)"/.exec(told.message)?.[1];
  if (column !== undefined) {
    const near = nearest(column, told.candidates) ?? told.candidates[0];
    return new TieoutError("UNKNOWN_COLUMN", {
      ...place,
      cause: `there is no column ${column}`,
      remedy:
        near === undefined ? "name a column of the relations in FROM" : `perhaps you mean ${near}`,
    });
  }
  const first = told.message.split("\n")[0] ?? "";
  return new TieoutError("SQL", {
    ...place,
    cause: first.replaceAll(/(?:\/[^\s'"]+)+/g, "<path>").slice(0, 300),
    remedy: "correct the SQL at this place",
  });
}
