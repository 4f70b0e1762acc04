import { type ColumnType, isExactDecimal } from "../model/columns.js";
import type { InputColumnSpec } from "../model/job.js";
import { typeDate, typeTimestamp } from "./typing-dates.js";
import { typeNumber } from "./typing-numbers.js";

/** One way that a text fails to be a value; the first whose condition holds is the reason. */
export interface Misfit {
  /** SQL over the text; "true" for what is left. */
  readonly when: string;
  readonly code: string;
  /** What is wrong, as a sentence about the column; never data. */
  readonly reason: string;
}

/** How a column's text becomes its value, as SQL in two steps so that the costly one is done once. */
export interface Typing {
  /** An attempt, null where it fails; null: none is needed. */
  readonly attempt: string | null;
  /** The exact value, or null; `attempted` names the attempt's result. */
  readonly value: (attempted: string) => string;
  readonly misfits: readonly Misfit[];
}

export function spaced(text: string, code: string): Misfit {
  return {
    when: `regexp_matches(${text}, '^\\s|\\s$')`,
    code,
    reason: "it has white space around it",
  };
}

/** Typing of a column whose text is the SQL expression `text`; `currency` is that of a money(by …). */
export function typingOf(
  type: ColumnType,
  spec: InputColumnSpec,
  text: string,
  currency: string | null,
): Typing {
  if (type.kind === "text") return { attempt: null, value: () => text, misfits: [] };
  if (type.kind === "boolean") return typeBoolean(text);
  if (type.kind === "date") return typeDate(spec, text);
  if (type.kind === "timestamp") return typeTimestamp(type.zone, spec, text);
  const digits = isExactDecimal(type) ? type : { precision: 18, scale: 0 };
  return typeNumber(type, digits, spec, text, currency);
}

/** `true` and `false` in any case of letters; not 1, 0, t, f, yes or no, which can be codes. */
function typeBoolean(text: string): Typing {
  return {
    attempt: null,
    value: () => `CASE lower(${text}) WHEN 'true' THEN true WHEN 'false' THEN false END`,
    misfits: [{ when: "true", code: "NOT_A_BOOLEAN", reason: "it is neither true nor false" }],
  };
}
