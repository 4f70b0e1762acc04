import { type Check, countIn, rowsText } from "./check.js";

/** A SELECT of the job that must give no rows: each row that it gives is a failing one. */
export const sqlCheck: Check<"sql"> = {
  kind: "sql",
  about: (spec) => [
    spec
      .replace(/^.*\//, "")
      .replace(/\.sql$/, "")
      .replace(/[^a-z0-9]+/g, "_"),
  ],
  problems: () => [],
  plan: (spec, _subject, { dialect: d, foreign, sql }) => {
    const text = sql[spec];
    if (text === undefined) throw new Error(`the job was loaded without ${spec}`);
    return {
      foreign: { name: foreign, sql: text, role: "failing", problem: () => null },
      facts: `SELECT count(*) AS ${d.id("rows")} FROM ${d.from(foreign)}`,
      // An engine orders what it evaluates by all columns, and their names are known only then.
      failing: `SELECT * FROM ${d.from(foreign)}`,
      judge: (facts) => {
        const rows = countIn(facts, "rows");
        return rows === 0 ? null : { message: `${spec} gave ${rowsText(rows)}`, rows };
      },
    };
  },
};
