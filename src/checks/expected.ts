import type { Dialect } from "../dialects/dialect.js";
import type { Column } from "../model/columns.js";
import { addDecimals, compareDecimals, decimalText, parseDecimal } from "../model/decimal.js";
import type { RelationName } from "../model/ids.js";
import { countIn, type Facts, type ForeignSelect, rowsText } from "./check.js";

/** What a SELECT of one number gave: its rows, and the number where it was one row. */
export interface Expected {
  readonly rows: number;
  readonly value: string | null;
}

/**
 * The SELECT of one exact number that a declared `equals` is. Its column gets a name, because
 * nobody names the column of `SELECT count(*) FROM refunds`; the gate sees the whole.
 */
export function expectedSelect(name: RelationName, equals: string): ForeignSelect {
  const sql = `SELECT * FROM (${equals.replace(/;\s*$/, "")}\n) AS e(value)`;
  return { name, sql, role: "expected", problem: expectedProblem };
}

/** A sum is wider than any declared type, so the digits of a decimal are not looked at. */
function expectedProblem(columns: readonly Column[]): string | null {
  const [only, second] = columns;
  if (!only || second)
    return `a SELECT of one number was expected, not of ${columns.length} columns`;
  if (/^(integer|decimal|money)/.test(only.type)) return null;
  return `a SELECT of one exact number was expected, not of ${only.type}`;
}

/** The facts of the foreign relation. */
export function expectedFacts(foreign: RelationName, d: Dialect): string {
  const from = d.from(foreign);
  const value = `min(CAST(${d.id("value")} AS ${d.type({ kind: "text" })}))`;
  return (
    `(SELECT count(*) FROM ${from}) AS ${d.id("expected_rows")}, ` +
    `(SELECT ${value} FROM ${from}) AS ${d.id("expected")}`
  );
}

export function expectedOf(facts: Facts): Expected {
  return { rows: countIn(facts, "expected_rows"), value: facts.expected ?? null };
}

/**
 * Null when `found` is the expected number, whatever the scales. `found` null is a sum over no
 * value: it counts as 0, and it alone agrees with an expected null.
 */
export function differs(found: string | null, expected: Expected): string | null {
  if (expected.rows !== 1)
    return `its equals SELECT gave ${rowsText(expected.rows)} where one number was expected`;
  if (expected.value === null)
    return found === null ? null : "its equals SELECT gave no value where a number was expected";
  const [have, want] = [parseDecimal(found ?? "0"), parseDecimal(expected.value)];
  if (want === null || have === null) return "its equals SELECT did not give an exact number";
  if (compareDecimals(have, want) === 0) return null;
  const off = decimalText(addDecimals(have, { ...want, units: -want.units }));
  return `${expected.value} was expected, so it is off by ${off}`;
}
