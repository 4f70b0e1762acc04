import { describe, expect, test } from "vitest";
import { z } from "zod";
import { CAPS, capsOf } from "../../src/model/caps.js";
import {
  AggregateInput,
  AggregateShape,
  DescribeInput,
  HeadInput,
  HeadShape,
  TailInput,
  WhereInput,
} from "../../src/model/read.js";

const all = [{ column: "a", op: "is_null" }];
const many = (n: number) => Array.from({ length: n }, (_, i) => `c${i}`);

const INPUTS = { HeadInput, TailInput, WhereInput, AggregateInput, DescribeInput };

describe("the input of a read", () => {
  test.each<[z.ZodType, object, RegExp]>([
    [HeadInput, { relation: "../secret" }, /never a path/],
    [HeadInput, { relation: "/etc/passwd" }, /never a path/],
    [HeadInput, { relation: "r", n: 0 }, /at least one row/],
    [HeadInput, { relation: "r", n: 201 }, /200 rows and pass next/],
    [HeadInput, { relation: "r", n: 1.5 }, /whole number/],
    [HeadInput, { relation: "r", columns: [] }, /at least one column/],
    [HeadInput, { relation: "r", columns: many(201) }, /at most 200 columns/],
    [HeadInput, { relation: "r", columns: ["a", "a"] }, /each column once/],
    [HeadInput, { relation: "r", next: "elsewhere" }, /as the answer before gave it/],
    [HeadInput, { relation: "r", offset: 5 }, /offset/],
    [WhereInput, { relation: "r" }, /.+/],
    [WhereInput, { relation: "r", all: [] }, /use head/],
    [WhereInput, { relation: "r", all: [...Array(9)].map(() => all[0]) }, /at most 8/],
    [WhereInput, { relations: ["log.a"], all }, /use relation/],
    [WhereInput, { relations: ["log.a", "log.a"], all }, /each relation once/],
    [WhereInput, { relations: many(9).map((c) => `log.${c}`), all }, /at most 8 texts/],
    [WhereInput, { relation: "r", all, context: 6 }, /at most 5 lines/],
    [AggregateInput, { relation: "r", fn: "median" }, /fn is one of count/],
    [AggregateInput, { relation: "r", fn: "count", by: ["a", "b", "c"] }, /at most two/],
    [DescribeInput, { like: "" }, /part of a name/],
  ])("%# is refused in words that say what to do", (input, value, message) => {
    const messages = input.safeParse(value).error?.issues.map((issue) => issue.message) ?? [];
    expect(messages.join()).toMatch(message);
    expect(messages.join()).not.toMatch(/\/\^|\\d/);
  });

  test.each<[z.ZodType, object]>([
    [HeadInput, { relation: "previous.discrepancies", n: 200, next: "20-0123abcd-89abcdef" }],
    [TailInput, { relation: "log.terminal" }],
    [WhereInput, { relations: ["log.a", "log.b"], all, context: 5 }],
    [AggregateInput, { relation: "r", fn: "sum", column: "a", by: ["b", "c"], all }],
    [DescribeInput, {}],
  ])("%# is taken as it is", (input, value) => {
    expect(input.parse(value)).toEqual(value);
  });

  test.each(Object.entries(INPUTS))(
    "%s is one flat object, without references or choices at its root",
    (_, input) => {
      const schema = z.toJSONSchema(input, { io: "input" });
      expect(schema.type).toBe("object");
      expect(schema.additionalProperties).toBe(false);
      expect(schema.anyOf ?? schema.oneOf ?? schema.allOf).toBeUndefined();
      expect(JSON.stringify(schema)).not.toContain("$ref");
    },
  );

  test("takes a further field of an operation", () => {
    const run = z.string();
    expect(
      z.strictObject({ run, ...HeadShape }).safeParse({ run: "x", relation: "r" }).success,
    ).toBe(true);
    expect(z.strictObject({ run, ...AggregateShape }).safeParse({ relation: "r" }).success).toBe(
      false,
    );
  });
});

describe("caps", () => {
  test("are the defaults unless configured, and never beyond their limits", () => {
    expect(capsOf()).toEqual({
      rows: 20,
      groups: 50,
      tokens: 2000,
      bytes: 16_384,
      cell: 200,
      columns: 40,
    });
    expect(capsOf({ tokens: 8000 }).tokens).toBe(8000);
    for (const [name, { least, most }] of Object.entries(CAPS))
      for (const value of [least - 1, most + 1, least + 0.5])
        expect(() => capsOf({ [name]: value })).toThrowError(
          expect.objectContaining({ code: "CONFIG_INVALID" }),
        );
  });
});
