import { type ColumnType, isExactDecimal } from "../model/columns.js";
import type { InputColumnSpec } from "../model/job.js";
import type { Typing } from "./misfits.js";
import { typeDate, typeTimestamp } from "./typing-dates.js";
import { typeNumber } from "./typing-numbers.js";

/**
 * Typing of a column whose text is the SQL expression `text`; `currency` is that of a money(by …).
 */
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
