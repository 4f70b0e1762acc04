import { TieoutError } from "./errors.js";

/** Where in a document: keys and list positions from its root, positions from 0. */
export type DocumentPath = readonly (string | number)[];

/** What is wrong at one spot of a document's values, before anybody knows its line. */
export interface Problem {
  readonly path: DocumentPath;
  /** Whether the key at `path` is wrong or the value below it. */
  readonly at: "key" | "value";
  /** What is there, in one sentence without a full stop. */
  readonly message: string;
  /** What was expected there, in words, after "expected:". */
  readonly expected: string;
  /** Text that, put in the place of what is there, is valid on its own; null when none is near. */
  readonly nearest: string | null;
}

/**
 * A problem with its place. Lines and columns count from 1, columns in UTF-16 units; 0 has no
 * place.
 */
export interface Mistake extends Omit<Problem, "at"> {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * One line for a person: `job.yaml:12:5: unknown key "ownr"; expected: one of …; did you mean
 * owner?`
 */
export function mistakeText(m: Omit<Mistake, "path">): string {
  const place = m.line === 0 ? m.file : `${m.file}:${m.line}:${m.column}`;
  const near = m.nearest === null ? "" : `; did you mean ${m.nearest}?`;
  return `${place}: ${m.message}; expected: ${m.expected}${near}`;
}

/** A document that cannot be used: every mistake of it at once, in the order of their places. */
export class DocumentError extends TieoutError {
  readonly mistakes: readonly Mistake[];
  constructor(
    code: "JOB_INVALID" | "CONFIG_INVALID",
    subject: string,
    mistakes: readonly Mistake[],
    remedy: string,
  ) {
    const count = mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`;
    super(code, { subject, cause: `${subject} has ${count}`, remedy });
    this.name = "DocumentError";
    this.mistakes = mistakes;
  }
  override toJSON(): ReturnType<TieoutError["toJSON"]> & { mistakes: readonly Mistake[] } {
    return { ...super.toJSON(), mistakes: this.mistakes };
  }
}

/** A problem whose value is wrong; `nearest` is null unless given. */
export function wrong(
  path: DocumentPath,
  message: string,
  expected: string,
  nearest: string | null = null,
): Problem {
  return { path, at: "value", message, expected, nearest };
}

/** A problem of a key. */
export function wrongKey(...args: Parameters<typeof wrong>): Problem {
  return { ...wrong(...args), at: "key" };
}

/** A value as a message quotes it: JSON, cut at 60 characters with a mark. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
