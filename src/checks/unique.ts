import { type Check, countIn, rowsText, unknownColumns } from "./check.js";

/**
 * No two rows agree in all these columns. Two nulls agree, so that a missing key cannot hide a
 * duplicate.
 */
export const uniqueCheck: Check<"unique"> = {
  kind: "unique",
  about: (spec) => spec,
  problems: (spec, columns) => unknownColumns(spec, columns, (i) => ["unique", i]),
  plan: (spec, subject, { dialect: d }) => {
    const key = spec.map((c) => d.id(c)).join(", ");
    const all = subject.columns.map((c) => d.id(c.name)).join(", ");
    const from = d.from(subject.relation);
    const n = d.id("rows of key"); // no column of a run has a space in its name
    return {
      foreign: null,
      facts:
        `SELECT count(*) AS ${d.id("keys")}, coalesce(sum(${n}), 0) AS ${d.id("rows")} FROM ` +
        `(SELECT count(*) AS ${n} FROM ${from} GROUP BY ${key} HAVING count(*) > 1) ` +
        `AS ${d.id("k")}`,
      failing:
        `SELECT ${all} FROM (SELECT *, count(*) OVER (PARTITION BY ${key}) AS ${n} FROM ${from}) ` +
        `AS ${d.id("k")} WHERE ${n} > 1 ORDER BY ` +
        d.order(
          spec.map((column) => ({ column, abs: false, down: false })),
          subject.columns,
        ),
      judge: (facts) => {
        const [keys, rows] = [countIn(facts, "keys"), countIn(facts, "rows")];
        if (keys === 0) return null;
        const shared = keys === 1 ? "1 value" : `${keys} values`;
        return { message: `${rowsText(rows)} share ${shared} of ${spec.join(", ")}`, rows };
      },
    };
  },
};
