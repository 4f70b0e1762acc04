import { type Check, countIn, type Fault, rowsText } from "./check.js";
import { differs, expectedFacts, expectedOf, expectedSelect } from "./expected.js";

/** How many rows there are: `min` and `max` inclusive, `equals` the one number of a SELECT. */
export const rowsCheck: Check<"rows"> = {
  kind: "rows",
  about: () => [],
  problems: ({ min, max, equals }) => {
    if (min === undefined && max === undefined && equals === undefined)
      return [{ path: ["rows"], message: "say min, max or equals" }];
    if (min !== undefined && max !== undefined && min > max)
      return [{ path: ["rows", "min"], message: `min ${min} is more than max ${max}` }];
    return [];
  },
  plan: ({ min, max, equals }, subject, { dialect: d, foreign }) => {
    const rows = `(SELECT count(*) FROM ${d.from(subject.relation)}) AS ${d.id("rows")}`;
    return {
      foreign: equals === undefined ? null : expectedSelect(foreign, equals),
      facts: `SELECT ${equals === undefined ? rows : `${rows}, ${expectedFacts(foreign, d)}`}`,
      failing: null,
      judge: (facts): Fault | null => {
        const found = countIn(facts, "rows");
        const wrong = [
          min !== undefined && found < min ? `at least ${min} were expected` : null,
          max !== undefined && found > max ? `at most ${max} were expected` : null,
          equals === undefined ? null : differs(String(found), expectedOf(facts)),
        ].filter((w) => w !== null);
        if (wrong.length === 0) return null;
        return { message: `it has ${rowsText(found)}; ${wrong.join("; ")}`, rows: 0 };
      },
    };
  },
};
