import type { Dialect } from "../dialects/dialect.js";
import { type ColumnType, typeOf } from "../model/columns.js";
import { CURRENCIES } from "../model/money.js";
import {
  type CheckParts,
  countIn,
  countWhere,
  rowsText,
  rowsWhere,
  type Subject,
} from "./check.js";

/**
 * Built in: every declared column can be read from the sealed file as its type, and every amount of
 * `money(by column)` stands beside a currency of ISO 4217 and has no more decimals than it.
 */
export function columnsCheck(subject: Subject, d: Dialect): CheckParts {
  const loose = subject.columns.flatMap((column) => {
    const type = typeOf(column.type);
    return type.kind === "money_by"
      ? [{ column: column.name, bad: unlikeCurrency(column.name, type, d) }]
      : [];
  });
  const any = loose.length === 0 ? "1 = 0" : loose.map(({ bad }) => bad).join(" OR ");
  const facts = [
    `${countWhere(any)} AS ${d.id("rows")}`,
    ...loose.map(({ bad }, i) => `${countWhere(bad)} AS ${d.id(`bad_${i}`)}`),
    ...subject.columns.map((c, i) => `count(${d.id(c.name)}) AS ${d.id(`values_${i}`)}`),
  ];
  return {
    foreign: null,
    facts: `SELECT ${facts.join(", ")} FROM ${d.from(subject.relation)}`,
    failing: loose.length === 0 ? null : rowsWhere(any, subject, d),
    judge: (found) => {
      const rows = countIn(found, "rows");
      if (rows === 0) return null;
      const where = loose
        .map(({ column }, i) => ({ column, n: countIn(found, `bad_${i}`) }))
        .filter(({ n }) => n > 0)
        .map(({ column, n }) => `${column} (${n})`)
        .join(", ");
      const what = "without a currency of ISO 4217, or with more decimals than it has, in";
      return { message: `${rowsText(rows)} ${what} ${where}`, rows };
    },
  };
}

/** True of an amount without a known currency or with decimals that its currency does not have. */
function unlikeCurrency(
  column: string,
  type: Extract<ColumnType, { kind: "money_by" }>,
  d: Dialect,
): string {
  const [amount, currency] = [d.id(column), d.id(type.by)];
  const scales = [...new Set(CURRENCIES.values())].sort((a, b) => a - b);
  const known = scales.map((scale) => {
    const codes = [...CURRENCIES].filter(([, s]) => s === scale).map(([code]) => d.text(code));
    const short = d.type({ kind: "decimal", precision: type.precision, scale });
    const rounded = `CAST(${amount} AS ${short})`;
    return `WHEN ${currency} IN (${codes.join(", ")}) THEN ${amount} <> ${rounded}`;
  });
  return `(${amount} IS NOT NULL AND CASE ${known.join(" ")} ELSE 1 = 1 END)`;
}
