import type { Dialect } from "../dialects/dialect.js";
import type { Column } from "../model/columns.js";
import { unknownColumn } from "../model/declared.js";
import type { RelationName, RelationRef } from "../model/ids.js";
import type { CheckKind, CheckSpec } from "../model/job.js";

/** What is checked: the relation of an artefact (or an input) and its declared columns. */
export interface Subject {
  readonly relation: RelationName;
  /** How findings call it: the artefact's or the input's name. */
  readonly artefact: string;
  readonly columns: readonly Column[];
}

/** The answer to a `facts` question: one row by column name; counts are integers as text. */
export type Facts = Readonly<Record<string, string | null>>;

/**
 * What is wrong: counts and column names, never a cell (I018). `rows` fail; 0 when it is not about
 * rows.
 */
export interface Fault {
  readonly message: string;
  readonly rows: number;
}

/** A SELECT that the job wrote and that a check needs; it runs through the engine's gate. */
export interface ForeignSelect {
  /**
   * The name under which `facts` and `failing` read its result; no relation of a run has this name.
   */
  readonly name: RelationName;
  readonly sql: string;
  /**
   * `expected`: one row of one number to compare with. `failing`: every row that it gives fails.
   */
  readonly role: "expected" | "failing";
  /** Why the result's columns cannot be used, for COLUMN_MISMATCH; asked before `facts`. */
  readonly problem: (columns: readonly Column[]) => string | null;
}

/** What one kind of check decides; `planChecks` adds the name and the severity. */
export interface CheckParts {
  readonly foreign: ForeignSelect | null;
  /** A SELECT of ours that gives exactly one row. */
  readonly facts: string;
  /**
   * A SELECT of ours that gives every failing row in full, in a total order; null: not about rows.
   */
  readonly failing: string | null;
  /** Null when the check passes. */
  readonly judge: (facts: Facts) => Fault | null;
}

/** A check as values, before any IO. Names are unique in a run: `<relation>.<check>`. */
export interface CheckPlan extends CheckParts {
  readonly name: string;
  readonly kind: CheckKind | BuiltIn;
  readonly severity: "error" | "warning";
  /** Relations that `facts` reads besides the subject's and `foreign.name`. */
  readonly reads: readonly RelationRef[];
}

/** Checks that nobody declares as such. */
export type BuiltIn = "columns" | "conserves";

/** A mistake in a check as declared; `path` leads from the check to the field. */
export interface SpecProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type SpecOf<K extends CheckKind> = NonNullable<CheckSpec[K]>;

/** What a check may use while it is planned: how SQL is spelt, and its foreign SELECT by name. */
export interface Planning {
  readonly dialect: Dialect;
  /** Texts of the job's SQL files by name. */
  readonly sql: Readonly<Record<string, string>>;
  /** A relation name that no other check and no relation of the run has. */
  readonly foreign: RelationName;
}

/** One kind of check: what can be wrong with its declaration, and its plan. Both are pure. */
export interface Check<K extends CheckKind> {
  readonly kind: K;
  /** The columns that its default name mentions. */
  readonly about: (spec: SpecOf<K>) => readonly string[];
  /** All mistakes at once, against the declared columns; [] when there is none. */
  readonly problems: (spec: SpecOf<K>, columns: readonly Column[]) => readonly SpecProblem[];
  /** Precondition: `problems` is empty. */
  readonly plan: (spec: SpecOf<K>, subject: Subject, planning: Planning) => CheckParts;
}

/** One problem for each name that is not a declared column, with the nearest that is. */
export function unknownColumns(
  named: readonly string[],
  columns: readonly Column[],
  pathOf: (index: number) => SpecProblem["path"],
): SpecProblem[] {
  return named.flatMap((name, i) => {
    const message = unknownColumn(columns, name);
    return message === null ? [] : [{ path: pathOf(i), message }];
  });
}

/** A count out of facts. @throws Error when the question did not give it. */
export function countIn(facts: Facts, name: string): number {
  const text = facts[name];
  if (text === null || text === undefined || !/^\d+$/.test(text))
    throw new Error(`the facts hold no count ${name}`);
  return Number(text);
}

/** `1 row`, `2 rows`. */
export function rowsText(n: number): string {
  return n === 1 ? "1 row" : `${n} rows`;
}

/** Every row of the subject that meets a condition, in full, ordered by all its columns. */
export function rowsWhere(condition: string, subject: Subject, d: Dialect): string {
  const columns = subject.columns.map((c) => d.id(c.name)).join(", ");
  return (
    `SELECT ${columns} FROM ${d.from(subject.relation)} ` +
    `WHERE ${condition} ORDER BY ${d.order([], subject.columns)}`
  );
}

/** How many rows meet a condition, as an aggregate over them; a null condition does not count. */
export function countWhere(condition: string): string {
  return `count(CASE WHEN ${condition} THEN 1 END)`;
}
