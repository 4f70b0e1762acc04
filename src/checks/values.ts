import { columnType } from "../model/declared.js";
import { type Check, countIn, countWhere, rowsText, rowsWhere, unknownColumns } from "./check.js";
import { literal, literalProblem } from "./literal.js";

/** Every value is one of a list. A null passes: `not_null` is a check of its own. */
export const valuesCheck: Check<"values"> = {
  kind: "values",
  about: ({ column }) => [column],
  problems: (spec, columns) => {
    const unknown = unknownColumns([spec.column], columns, () => ["values", "column"]);
    if (unknown.length > 0) return unknown;
    const type = columnType(columns, spec.column);
    return spec.in.flatMap((value, i) => {
      const message = literalProblem(value, type);
      return message === null ? [] : [{ path: ["values", "in", i], message }];
    });
  },
  plan: (spec, subject, { dialect: d }) => {
    const type = columnType(subject.columns, spec.column);
    const list = spec.in.map((value) => literal(value, type, d)).join(", ");
    const outside = `${d.id(spec.column)} NOT IN (${list})`;
    return {
      foreign: null,
      facts: `SELECT ${countWhere(outside)} AS ${d.id("rows")} FROM ${d.from(subject.relation)}`,
      failing: rowsWhere(outside, subject, d),
      judge: (facts) => {
        const rows = countIn(facts, "rows");
        if (rows === 0) return null;
        const allowed = `the ${spec.in.length} allowed`;
        const message = `${rowsText(rows)} where ${spec.column} is none of ${allowed}`;
        return { message, rows };
      },
    };
  },
};
