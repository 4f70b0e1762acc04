/**
 * What can go wrong, as a value: a code that a machine branches on, the subject it happened to, the
 * cause, and a remedy that works when it is applied literally. A thrown value that is not a
 * `TieoutError` is a bug of ours (exit 1, with its stack).
 */
export const EXIT = {
  OK: 0,
  BUG: 1,
  USAGE: 2,
  INPUTS: 3,
  VERIFICATION: 4,
  CLAIMED: 5,
  UNKNOWN: 6,
  MATERIAL_BREAKS: 7,
  NOT_TIED_OUT: 8,
  DAMAGE: 9,
  PENDING: 10,
  NOT_READY: 11,
  CHANGED: 12,
  SIGINT: 130,
  SIGTERM: 143,
} as const;

/**
 * Every error code and the process's exit code for it. README's table is generated from this one.
 */
export const CODES = {
  BUG: EXIT.BUG,
  USAGE: EXIT.USAGE,
  JOB_INVALID: EXIT.USAGE, // the job file or its SQL, found before anything ran
  CONFIG_INVALID: EXIT.USAGE,
  UNKNOWN_RUN: EXIT.USAGE,
  UNKNOWN_RELATION: EXIT.USAGE,
  UNKNOWN_COLUMN: EXIT.USAGE,
  BAD_VALUE: EXIT.USAGE,
  BAD_CURSOR: EXIT.USAGE,
  NOT_KEPT: EXIT.USAGE, // a discarded relation was asked for
  NOT_A_SELECT: EXIT.USAGE,
  NOT_ONE_STATEMENT: EXIT.USAGE,
  REFUSED: EXIT.USAGE, // SQL outside the allow-list
  SQL: EXIT.USAGE, // the engine could not run the SELECT
  COLUMN_MISMATCH: EXIT.USAGE, // a SELECT whose columns are not the declared ones
  INEXACT: EXIT.VERIFICATION, // a value that does not fit its declared type without rounding
  TIMEOUT: EXIT.VERIFICATION,
  MEMORY: EXIT.VERIFICATION,
  INPUT_MISSING: EXIT.INPUTS,
  INPUT_INVALID: EXIT.INPUTS,
  INPUT_REJECTS: EXIT.INPUTS,
  INPUT_COUNT: EXIT.INPUTS, // two independent counts of an input differ (I007)
  INPUTS_NOT_READY: EXIT.NOT_READY,
  PREVIOUS_MISSING: EXIT.INPUTS,
  CHECK_FAILED: EXIT.VERIFICATION,
  COUNT_MISMATCH: EXIT.VERIFICATION, // two independent counts of an artefact differ
  SUMMARY_INVALID: EXIT.VERIFICATION,
  NOT_FINISHED: EXIT.VERIFICATION, // an agent step ended without finish
  CLAIMED_ELSEWHERE: EXIT.CLAIMED,
  LEASE_LOST: EXIT.CLAIMED,
  UNKNOWN: EXIT.UNKNOWN, // the store did not say; nothing was cleaned, retry
  STORE: EXIT.UNKNOWN,
  DISK: EXIT.UNKNOWN,
  DISK_FULL: EXIT.UNKNOWN,
  EXISTS: EXIT.BUG,
  LOST_RACE: EXIT.CLAIMED,
  INPUTS_CHANGED: EXIT.CHANGED,
  DAMAGED: EXIT.DAMAGE,
  RETAINED: EXIT.USAGE, // what must still be kept was to be removed
  TEARDOWN_PENDING: EXIT.PENDING,
  INTERRUPTED: EXIT.SIGTERM,
} as const;
export type Code = keyof typeof CODES;

export interface Trouble {
  /** What it happened to: a file, a relation, a run, `job.yaml:12:5`. Never a row of data. */
  readonly subject: string;
  /** One sentence; contains no cell of data and no secret (I018). */
  readonly cause: string;
  /** One sentence in the imperative that works when applied literally. */
  readonly remedy: string;
  /** Locations and counts for a machine; never data. */
  readonly at?: Readonly<Record<string, string | number>>;
  readonly because?: unknown;
}

/**
 * An error that a person or a program can act on. Extends Error only for its stack in logs of bugs.
 */
export class TieoutError extends Error {
  readonly code: Code;
  readonly subject: string;
  readonly remedy: string;
  readonly at: Readonly<Record<string, string | number>>;
  constructor(code: Code, t: Trouble) {
    super(t.cause, t.because === undefined ? undefined : { cause: t.because });
    this.name = "TieoutError";
    this.code = code;
    this.subject = t.subject;
    this.remedy = t.remedy;
    this.at = t.at ?? {};
  }
  get exit(): number {
    return CODES[this.code];
  }
  toJSON(): { code: Code; subject: string; message: string; remedy: string; at?: object } {
    const at = Object.keys(this.at).length > 0 ? { at: this.at } : {};
    return {
      code: this.code,
      subject: this.subject,
      message: this.message,
      remedy: this.remedy,
      ...at,
    };
  }
}

export function isTieout(e: unknown, code?: Code): e is TieoutError {
  return e instanceof TieoutError && (code === undefined || e.code === code);
}

/**
 * The nearest of `words` to `word` by edit distance, or null when none is near enough to be meant.
 */
export function nearest(word: string, words: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const w of words) {
    const d = editDistance(word.toLowerCase(), w.toLowerCase(), least);
    if (d < least) [best, least] = [w, d];
  }
  return best;
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + swap);
    }
    row = next;
  }
  return row[b.length] ?? limit;
}
