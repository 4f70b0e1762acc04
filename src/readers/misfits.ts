/** One way that a text fails to be a value; the first whose condition holds is the reason. */
export interface Misfit {
  /** SQL over the text; "true" for what is left. */
  readonly when: string;
  readonly code: string;
  /** What is wrong, as a sentence about the column; never data. */
  readonly reason: string;
}

/**
 * How a column's text becomes its value, as SQL in two steps so that the costly one is done once.
 */
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
