import { describe, expect, test } from "vitest";
import {
  isExactDecimal,
  isMoney,
  isNumeric,
  readType,
  TypeText,
  typeOf,
  typeText,
  WIDEST_DECIMAL,
} from "../../src/model/columns.js";
import { CURRENCIES, scaleOf } from "../../src/model/money.js";

describe("a column's type in the user's words", () => {
  test.each([
    ["text", { kind: "text" }],
    ["integer", { kind: "integer" }],
    ["date", { kind: "date" }],
    ["boolean", { kind: "boolean" }],
    ["timestamp", { kind: "timestamp", zone: "UTC" }],
    ["timestamp(Europe/Paris)", { kind: "timestamp", zone: "Europe/Paris" }],
    ["decimal(12,4)", { kind: "decimal", precision: 12, scale: 4 }],
    ["decimal(28,0)", { kind: "decimal", precision: 28, scale: 0 }],
    ["money(USD)", { kind: "money", currency: "USD", precision: 18, scale: 2 }],
    ["money(JPY)", { kind: "money", currency: "JPY", precision: 18, scale: 0 }],
    ["money(KWD)", { kind: "money", currency: "KWD", precision: 18, scale: 3 }],
    ["money(CLF)", { kind: "money", currency: "CLF", precision: 18, scale: 4 }],
    ["money(by currency)", { kind: "money_by", by: "currency", precision: 22, scale: 4 }],
  ])("%s", (text, type) => {
    expect(readType(text)).toEqual(type);
    expect(typeText(typeOf(text))).toBe(text);
    expect(TypeText.parse(text)).toBe(text);
  });

  test.each([
    ["  decimal( 12 , 4 ) ", "decimal(12,4)"],
    ["money( by  currency )", "money(by currency)"],
    ["timestamp( UTC )", "timestamp"],
  ])("%j is spelled %s wherever it is kept", (written, kept) => {
    expect(TypeText.parse(written)).toBe(kept);
    expect(typeOf(kept)).toEqual(typeOf(written));
  });

  test.each([
    ["money(usd)", "its ISO 4217 code in capitals"],
    ["money(XYZ)", "its ISO 4217 code in capitals"],
    ["decimal(29,2)", "1 <= p <= 28"],
    ["decimal(0,0)", "1 <= p <= 28"],
    ["decimal(4,5)", "0 <= s <= p"],
    ["decimal(18)", "a type is text, integer"],
    ["decimal(18,-2)", "a type is text, integer"],
    ["timestamp(Mars/Base)", "unknown time zone Mars/Base"],
    ["money(by Currency)", "a type is text, integer"],
    ["float", "a type is text, integer"],
    ["double", "a type is text, integer"],
    ["", "a type is text, integer"],
  ])("%j is refused and the answer says what was expected", (text, expected) => {
    expect(readType(text)).toContain(expected);
    expect(TypeText.safeParse(text).error?.issues[0]?.message).toContain(expected);
    expect(() => typeOf(text)).toThrow(expected);
  });

  test("money and decimals are exact, integers are numbers, the rest is neither", () => {
    const kinds = ["money(USD)", "money(by cur)", "decimal(5,2)", "integer", "text", "date"];
    const is = (f: (t: ReturnType<typeof typeOf>) => boolean): boolean[] =>
      kinds.map((k) => f(typeOf(k)));
    expect(is(isMoney)).toEqual([true, true, false, false, false, false]);
    expect(is(isExactDecimal)).toEqual([true, true, true, false, false, false]);
    expect(is(isNumeric)).toEqual([true, true, true, true, false, false]);
  });
});

describe("currencies", () => {
  test("a code has one scale, from 0 to 4, and a code that is not listed has none", () => {
    for (const [code, scale] of CURRENCIES) {
      expect(code).toMatch(/^[A-Z]{3}$/);
      expect([0, 2, 3, 4]).toContain(scale);
      expect(scaleOf(code)).toBe(scale);
    }
    expect(CURRENCIES.size).toBeGreaterThan(150);
    for (const none of ["usd", "BTC", "", "constructor"]) expect(scaleOf(none)).toBeNull();
  });

  test("an amount of any currency can be summed ten thousand million times", () => {
    for (const code of CURRENCIES.keys()) {
      const type = typeOf(`money(${code})`);
      expect(isExactDecimal(type) && type.precision <= WIDEST_DECIMAL).toBe(true);
    }
    expect(WIDEST_DECIMAL + 10).toBeLessThanOrEqual(38);
  });
});
