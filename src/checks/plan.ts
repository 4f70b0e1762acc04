import type { Dialect } from "../dialects/dialect.js";
import { fingerprint } from "../model/canonical.js";
import type { Column } from "../model/columns.js";
import { type ColumnName, RelationName, type RelationRef } from "../model/ids.js";
import { type CheckKind, type CheckSpec, kindOf } from "../model/job.js";
import type { Check, CheckPlan, Planning, SpecProblem, Subject } from "./check.js";
import { columnsCheck } from "./columns.js";
import { conservesCheck } from "./conserves.js";
import { controlTotalCheck } from "./control-total.js";
import { notNullCheck } from "./not-null.js";
import { rangeCheck } from "./range.js";
import { rowsCheck } from "./rows.js";
import { sqlCheck } from "./sql.js";
import { uniqueCheck } from "./unique.js";
import { valuesCheck } from "./values.js";

const CHECKS: { readonly [K in CheckKind]: Check<K> } = {
  rows: rowsCheck,
  unique: uniqueCheck,
  not_null: notNullCheck,
  values: valuesCheck,
  range: rangeCheck,
  control_total: controlTotalCheck,
  sql: sqlCheck,
};

/**
 * All mistakes of one declared check against the artefact's declared columns; [] when it can run.
 */
export function specProblems(check: CheckSpec, columns: readonly Column[]): readonly SpecProblem[] {
  return problemsOf(kindOf(check), check, columns);
}

function problemsOf<K extends CheckKind>(kind: K, check: CheckSpec, columns: readonly Column[]) {
  return CHECKS[kind].problems(filled(check, kind), columns);
}

/**
 * The checks of an artefact: the built-in `columns` first, then the declared ones in their order.
 * `sql` holds the job's SQL files by name. Precondition: `specProblems` of each is empty.
 */
export function planChecks(
  specs: readonly CheckSpec[],
  subject: Subject,
  sql: Planning["sql"],
  dialect: Dialect,
): CheckPlan[] {
  const names = new Set<string>();
  const builtIn: CheckPlan = {
    name: named("columns", subject, names),
    kind: "columns",
    severity: "error",
    reads: [],
    ...columnsCheck(subject, dialect),
  };
  const declared = specs.map((spec, index) => {
    const foreign = foreignName(subject, index);
    return planOf(kindOf(spec), spec, subject, { dialect, sql, foreign }, names);
  });
  return [builtIn, ...declared];
}

/** An input's key: each row has one, and no two the same. */
export function planKey(
  key: readonly ColumnName[],
  subject: Subject,
  dialect: Dialect,
): CheckPlan[] {
  const specs: CheckSpec[] = [
    { name: "key_not_null", not_null: [...key] },
    { name: "key_unique", unique: [...key] },
  ];
  return planChecks(specs, subject, {}, dialect).slice(1);
}

/** What a step says it conserves (I007). */
export function planConserves(
  of: readonly RelationRef[],
  subject: Subject,
  dialect: Dialect,
): CheckPlan {
  return {
    name: `${subject.relation}.conserves`,
    kind: "conserves",
    severity: "error",
    reads: of,
    ...conservesCheck(of, subject, dialect),
  };
}

function planOf<K extends CheckKind>(
  kind: K,
  spec: CheckSpec,
  subject: Subject,
  planning: Planning,
  names: Set<string>,
): CheckPlan {
  const value = filled(spec, kind);
  const check = CHECKS[kind];
  const name = spec.name ?? [kind, ...check.about(value)].join("_");
  return {
    name: named(name, subject, names),
    kind,
    severity: spec.severity ?? "error",
    reads: [],
    ...check.plan(value, subject, planning),
  };
}

function filled<K extends CheckKind>(spec: CheckSpec, kind: K): NonNullable<CheckSpec[K]> {
  const value = spec[kind];
  if (value === undefined || value === null) throw new Error(`the check is not of kind ${kind}`);
  return value;
}

/** Unique in the run, since no relation's name holds a dot; short enough for a file name. */
function named(check: string, subject: Subject, taken: Set<string>): string {
  const base = `${subject.relation}.${check.slice(0, 100)}`;
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base}_${n}`;
  taken.add(name);
  return name;
}

function foreignName({ relation }: Subject, index: number): RelationName {
  return RelationName.parse(`check_${fingerprint({ relation, index }).slice(0, 16)}`);
}
