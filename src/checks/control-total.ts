import { isNumeric, typeText } from "../model/columns.js";
import { columnType } from "../model/declared.js";
import { type Check, unknownColumns } from "./check.js";
import { differs, expectedFacts, expectedOf, expectedSelect } from "./expected.js";

/**
 * The sum of a column is the one number of a SELECT, exactly, whatever the scales. Nulls add
 * nothing. Declared decimals have at most 28 digits, so a sum of 38 holds 10^10 of them without
 * wrapping.
 */
export const controlTotalCheck: Check<"control_total"> = {
  kind: "control_total",
  about: ({ column }) => [column],
  problems: (spec, columns) => {
    const path = ["control_total", "column"];
    const unknown = unknownColumns([spec.column], columns, () => path);
    if (unknown.length > 0) return unknown;
    const type = columnType(columns, spec.column);
    if (type.kind === "money_by") {
      const remedy = "compare each in an sql check";
      const message = `${spec.column} mixes currencies and has no one total: ${remedy}`;
      return [{ path, message }];
    }
    if (isNumeric(type)) return [];
    return [{ path, message: `${spec.column} is ${typeText(type)} and cannot be summed` }];
  },
  plan: (spec, subject, { dialect: d, foreign }) => {
    const sum = `CAST(sum(${d.id(spec.column)}) AS ${d.type({ kind: "text" })})`;
    return {
      foreign: expectedSelect(foreign, spec.equals),
      facts:
        `SELECT (SELECT ${sum} FROM ${d.from(subject.relation)}) AS ${d.id("total")}, ` +
        expectedFacts(foreign, d),
      failing: null,
      judge: (facts) => {
        const total = facts.total ?? null;
        const wrong = differs(total, expectedOf(facts));
        if (wrong === null) return null;
        return { message: `the total of ${spec.column} is ${total ?? "0"}; ${wrong}`, rows: 0 };
      },
    };
  },
};
