import type { Dialect } from "../dialects/dialect.js";
import type { RelationRef } from "../model/ids.js";
import { type CheckParts, countIn, rowsText, type Subject } from "./check.js";

/**
 * Built in (I007): a step has as many rows as the relations that it says it conserves, together.
 */
export function conservesCheck(
  of: readonly RelationRef[],
  subject: Pick<Subject, "relation">,
  d: Dialect,
): CheckParts {
  const count = (relation: string, as: string): string =>
    `(SELECT count(*) FROM ${d.from(relation)}) AS ${d.id(as)}`;
  const facts = [count(subject.relation, "rows"), ...of.map((r, i) => count(r, `of_${i}`))];
  return {
    foreign: null,
    facts: `SELECT ${facts.join(", ")}`,
    failing: null,
    judge: (found) => {
      const rows = countIn(found, "rows");
      const parts = of.map((relation, i) => ({ relation, n: countIn(found, `of_${i}`) }));
      const expected = parts.reduce((sum, { n }) => sum + n, 0);
      if (rows === expected) return null;
      const terms = parts.map(({ relation, n }) => `${relation} (${n})`).join(" + ");
      return { message: `it has ${rowsText(rows)} where ${terms} have ${expected}`, rows: 0 };
    },
  };
}
