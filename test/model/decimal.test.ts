import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalText,
  divideDecimal,
  parseDecimal,
  rescale,
} from "../../src/model/decimal.js";

const decimals: fc.Arbitrary<Decimal> = fc.record({
  units: fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }),
  scale: fc.integer({ min: 0, max: 20 }),
});
const read = (text: string): Decimal => {
  const d = parseDecimal(text);
  if (!d) throw new Error(text);
  return d;
};

describe("exact decimals", () => {
  it("text of a decimal reads back as the same units and scale", () => {
    fc.assert(
      fc.property(decimals, (d) => {
        expect(read(decimalText(d))).toEqual(d);
      }),
    );
  });

  it("text is canonical: no sign on zero, no leading zeros, all digits of the scale", () => {
    expect(decimalText(read("-0.00"))).toBe("0.00");
    expect(decimalText(read("007.50"))).toBe("7.50");
    expect(decimalText(read("-0.07"))).toBe("-0.07");
    expect(decimalText({ units: 5n, scale: 3 })).toBe("0.005");
  });

  it.each(["", "-", "1.", ".5", "1e3", "+1", "1,000.00", " 1", "1 ", "NaN", "0x1f", "1.2.3", "١"])(
    "refuses %j, which is no canonical decimal",
    (text) => expect(parseDecimal(text)).toBeNull(),
  );

  it("a sum does not depend on order, and loses nothing", () => {
    fc.assert(
      fc.property(decimals, decimals, decimals, (a, b, c) => {
        const left = addDecimals(addDecimals(a, b), c);
        const right = addDecimals(a, addDecimals(c, b));
        expect(decimalText(left)).toBe(decimalText(right));
        const back = addDecimals(addDecimals(a, b), { ...b, units: -b.units });
        expect(compareDecimals(back, a)).toBe(0);
      }),
    );
  });

  it("the same number at another scale is equal", () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 20 }), (d, more) => {
        expect(compareDecimals(d, rescale(d, d.scale + more))).toBe(0);
      }),
    );
    expect(compareDecimals(read("1.10"), read("1.1"))).toBe(0);
    expect(compareDecimals(read("-1.10"), read("-1.1000001"))).toBe(1);
    expect(compareDecimals(read("9007199254740993"), read("9007199254740992.99"))).toBe(1);
  });

  it.each([
    ["1.005", 2, "1.00"],
    ["1.015", 2, "1.02"],
    ["-1.005", 2, "-1.00"],
    ["-1.015", 2, "-1.02"],
    ["1.0051", 2, "1.01"],
    ["2.5", 0, "2"],
    ["-0.004", 2, "0.00"],
  ])("rounds %s to %i decimals half to even: %s", (from, scale, to) => {
    expect(decimalText(rescale(read(from), scale))).toBe(to);
  });

  it("rounding is never off by more than half a unit", () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 20 }), (d, scale) => {
        const off = addDecimals(d, { units: -rescale(d, scale).units, scale });
        const size = off.units < 0n ? -off.units : off.units;
        expect(
          compareDecimals({ units: size * 2n, scale: off.scale }, { units: 1n, scale }),
        ).toBeLessThan(1);
      }),
    );
  });

  it.each([
    ["10", 4n, 0, "2"],
    ["10", 3n, 4, "3.3333"],
    ["-0.05", 2n, 2, "-0.02"],
    ["20", 3n, 2, "6.67"],
  ])("%s over %s at %i decimals is %s", (a, by, scale, to) => {
    expect(decimalText(divideDecimal(read(a), by, scale))).toBe(to);
  });
});
