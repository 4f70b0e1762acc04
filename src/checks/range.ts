import { columnType } from "../model/declared.js";
import {
  type Check,
  countIn,
  countWhere,
  rowsText,
  rowsWhere,
  type SpecProblem,
  unknownColumns,
} from "./check.js";
import { literal, literalProblem } from "./literal.js";

/** Every value lies between two ends, both inclusive; text by its UTF-8 bytes. A null passes. */
export const rangeCheck: Check<"range"> = {
  kind: "range",
  about: ({ column }) => [column],
  problems: (spec, columns) => {
    const unknown = unknownColumns([spec.column], columns, () => ["range", "column"]);
    if (unknown.length > 0) return unknown;
    const type = columnType(columns, spec.column);
    if (type.kind === "boolean")
      return [{ path: ["range", "column"], message: "true and false have no range: use values" }];
    if (spec.min === undefined && spec.max === undefined)
      return [{ path: ["range"], message: "say min, max or both" }];
    return (["min", "max"] as const).flatMap((end): SpecProblem[] => {
      const value = spec[end];
      const message = value === undefined ? null : literalProblem(value, type);
      return message === null ? [] : [{ path: ["range", end], message }];
    });
  },
  plan: (spec, subject, { dialect: d }) => {
    const type = columnType(subject.columns, spec.column);
    const column = d.id(spec.column);
    const below = spec.min === undefined ? "1 = 0" : `${column} < ${literal(spec.min, type, d)}`;
    const above = spec.max === undefined ? "1 = 0" : `${column} > ${literal(spec.max, type, d)}`;
    const outside = `(${below} OR ${above})`;
    return {
      foreign: null,
      facts:
        `SELECT ${countWhere(below)} AS ${d.id("below")}, ` +
        `${countWhere(above)} AS ${d.id("above")}, ` +
        `${countWhere(outside)} AS ${d.id("rows")} FROM ${d.from(subject.relation)}`,
      failing: rowsWhere(outside, subject, d),
      judge: (facts) => {
        const rows = countIn(facts, "rows");
        if (rows === 0) return null;
        const [low, high] = [countIn(facts, "below"), countIn(facts, "above")];
        const sides = `${low} below its min, ${high} above its max`;
        return {
          message: `${rowsText(rows)} where ${spec.column} is out of range: ${sides}`,
          rows,
        };
      },
    };
  },
};
