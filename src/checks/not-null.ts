import { type Check, countIn, countWhere, rowsText, rowsWhere, unknownColumns } from "./check.js";

/** Every row has a value in each of these columns. Empty text is a value. */
export const notNullCheck: Check<"not_null"> = {
  kind: "not_null",
  about: (spec) => spec,
  problems: (spec, columns) => unknownColumns(spec, columns, (i) => ["not_null", i]),
  plan: (spec, subject, { dialect: d }) => {
    const isNull = spec.map((c) => `${d.id(c)} IS NULL`);
    const any = isNull.join(" OR ");
    const counts = isNull.map((c, i) => `${countWhere(c)} AS ${d.id(`null_${i}`)}`);
    return {
      foreign: null,
      facts:
        `SELECT ${countWhere(any)} AS ${d.id("rows")}, ${counts.join(", ")} ` +
        `FROM ${d.from(subject.relation)}`,
      failing: rowsWhere(any, subject, d),
      judge: (facts) => {
        const rows = countIn(facts, "rows");
        if (rows === 0) return null;
        const where = spec
          .map((column, i) => ({ column, n: countIn(facts, `null_${i}`) }))
          .filter(({ n }) => n > 0)
          .map(({ column, n }) => `${column} (${n})`);
        return { message: `${rowsText(rows)} without a value in ${where.join(", ")}`, rows };
      },
    };
  },
};
