import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Column, readType } from "../../src/model/columns.js";
import { isTieout } from "../../src/model/errors.js";
import { ColumnName } from "../../src/model/ids.js";
import {
  bound,
  Condition,
  Conditions,
  canonicalValue,
  type Value,
} from "../../src/model/predicate.js";

const COLUMNS: Column[] = [
  ["seller_id", "text"],
  ["units", "integer"],
  ["amount", "money(USD)"],
  ["booked_on", "date"],
  ["made_at", "timestamp(Europe/Paris)"],
  ["settled", "boolean"],
].map(([name, type]) => ({ name: ColumnName.parse(name), type: type ?? "" }));

function fits(value: Value, type: string): string | null {
  const read = readType(type);
  if (typeof read === "string") throw new Error(read);
  return canonicalValue(value, read).text;
}

function refusal(condition: Condition): { code: string; remedy: string } {
  try {
    bound([condition], COLUMNS);
  } catch (e) {
    if (isTieout(e)) return { code: e.code, remedy: e.remedy };
  }
  throw new Error("it was not refused");
}

describe("a value", () => {
  test.each<[Value, string, string]>([
    ["13.7", "decimal(18,2)", "13.70"],
    ["13.7000", "decimal(18,2)", "13.70"],
    ["-0.00", "decimal(18,2)", "0.00"],
    ["007", "integer", "7"],
    [42, "integer", "42"],
    [42, "text", "42"],
    ["9999999999999999.99", "money(USD)", "9999999999999999.99"],
    ["1.5000", "money(by currency)", "1.5000"],
    ["2024-02-29", "date", "2024-02-29"],
    ["2026-08-10", "timestamp", "2026-08-10T00:00:00Z"],
    ["2026-08-10 06:41", "timestamp", "2026-08-10T06:41:00Z"],
    ["2026-08-10T06:41:12.5+02:00", "timestamp", "2026-08-10T04:41:12.500000Z"],
    [true, "boolean", "true"],
    ["a\\u{202e}b", "text", "a\u202eb"],
  ])("%j fits %s as %s", (value, type, text) => {
    expect(fits(value, type)).toBe(text);
  });

  test.each<[Value, string]>([
    ["13.704", "decimal(18,2)"],
    ["1e3", "decimal(18,2)"],
    ["1,000.00", "decimal(18,2)"],
    ["12345678901234567.00", "money(USD)"],
    ["13.5", "integer"],
    ["13.", "integer"],
    ["1234567890123456789", "integer"],
    ["", "integer"],
    ["+1", "integer"],
    ["2026-02-30", "date"],
    ["10/08/2026", "date"],
    ["0000-01-01", "date"],
    ["2026-08-10T24:00", "timestamp"],
    ["2026-02-30T00:00:00Z", "timestamp"],
    ["2026-08-10T06:41:12+99:00", "timestamp"],
    ["yes", "boolean"],
    [1, "boolean"],
  ])("%j does not fit %s, and nothing is rounded", (value, type) => {
    expect(fits(value, type)).toBeNull();
  });

  test("of a decimal is kept digit for digit", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }), (cents) => {
        const digits = String(cents < 0n ? -cents : cents).padStart(3, "0");
        const text = `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
        expect(fits(text, "decimal(18,2)")).toBe(text);
      }),
    );
  });
});

describe("a condition", () => {
  test("becomes its column, type and canonical values", () => {
    expect(bound([{ column: "amount", op: "between", values: ["1", 2] }], COLUMNS)).toEqual([
      {
        column: "amount",
        type: expect.objectContaining({ kind: "money", currency: "USD" }),
        op: "between",
        values: ["1.00", "2.00"],
      },
    ]);
  });

  test.each<[Condition, string, RegExp]>([
    [{ column: "seler_id", op: "is_null" }, "UNKNOWN_COLUMN", /use seller_id/],
    [{ column: "zzzzzzzz", op: "is_null" }, "UNKNOWN_COLUMN", /describe/],
    [{ column: "amount", op: "eq", value: "13.704" }, "BAD_VALUE", /2 decimals/],
    [{ column: "amount", op: "contains", value: "13" }, "BAD_VALUE", /text columns/],
    [{ column: "settled", op: "lt", value: true }, "BAD_VALUE", /eq with true or false/],
    [{ column: "units", op: "eq" }, "BAD_VALUE", /one value/],
    [{ column: "units", op: "eq", values: [1] }, "BAD_VALUE", /one value/],
    [{ column: "units", op: "eq", value: 1, values: [1] }, "BAD_VALUE", /one value/],
    [{ column: "units", op: "in", value: 1 }, "BAD_VALUE", /1 to 50/],
    [{ column: "units", op: "in", values: [] }, "BAD_VALUE", /1 to 50/],
    [{ column: "units", op: "between", values: [1] }, "BAD_VALUE", /two ends/],
    [{ column: "units", op: "is_null", value: 1 }, "BAD_VALUE", /neither/],
  ])("%o is refused as %s", (condition, code, remedy) => {
    expect(refusal(condition)).toMatchObject({ code, remedy: expect.stringMatching(remedy) });
  });

  test("never repeats a value in its refusal", () => {
    try {
      bound([{ column: "amount", op: "eq", value: "secret 4111" }], COLUMNS);
      expect.unreachable();
    } catch (e) {
      expect(isTieout(e) && JSON.stringify(e)).not.toContain("4111");
    }
  });

  test.each([
    [{ column: "a", op: "like", value: "%" }, /op is one of eq/],
    [{ column: "a", op: "eq", value: 1.5 }, /write a decimal as a string/],
    [{ column: "a", op: "eq", value: "x".repeat(1001) }, /1000 characters|a value is/],
    [{ column: "a", op: "in", values: Array.from({ length: 51 }, () => 1) }, /at most 50/],
    [{ column: "a", op: "eq", value: 1, or: [] }, /or/],
  ])("%# is refused as it is read, in words of its own", (condition, message) => {
    const parsed = Condition.safeParse(condition);
    expect(parsed.error?.issues.map((issue) => issue.message).join()).toMatch(message);
  });

  test("is one of at least 1 and at most 8", () => {
    const one = { column: "a", op: "is_null" };
    expect(Conditions.safeParse([]).success).toBe(false);
    expect(Conditions.safeParse(Array.from({ length: 8 }, () => one)).success).toBe(true);
    expect(Conditions.safeParse(Array.from({ length: 9 }, () => one)).success).toBe(false);
  });
});
