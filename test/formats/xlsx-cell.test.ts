import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { needsTwin } from "../../src/formats/formats.js";
import { cellOf, textOf } from "../../src/formats/xlsx-cell.js";
import { columnLetters, textOfXml, xmlText } from "../../src/formats/xlsx-text.js";
import { typeOf } from "../../src/model/columns.js";
import { decimalText } from "../../src/model/decimal.js";
import { ArtefactName } from "../../src/model/ids.js";

describe("the text of a workbook's XML", () => {
  it("is read back equal, whatever it holds, and has no sign that XML refuses", () => {
    const nasty = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.constantFrom("_x", "000D", "_", "x005F", "&", "amp;", "<", "\r", "\n", "\u0001")),
    );
    fc.assert(
      fc.property(nasty, (made) => {
        const text = Array.isArray(made) ? made.join("") : made;
        const xml = xmlText(text);
        expect(textOfXml(xml)).toBe(text);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        expect(xml).not.toMatch(/[<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|&(?!(amp|lt|gt);)/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a cell", () => {
  it("gives back every decimal as it was, as a number of at most 15 digits or as text", () => {
    const type = typeOf("decimal(28,6)");
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 28n) + 1n, max: 10n ** 28n - 1n }),
        fc.nat(28),
        (n, less) => {
          const text = decimalText({ units: n / 10n ** BigInt(less), scale: 6 });
          const cell = cellOf(text, type);
          expect(textOf(cell, type)).toBe(text);
          if (cell.kind !== "number") return;
          expect(cell.value.replace(/^-?[0.]*|\./g, "").length).toBeLessThanOrEqual(15);
          expect(Number(cell.value).toFixed(6)).toBe(text.replace(/^-0\.0+$/, "0.000000"));
        },
      ),
    );
  });

  it("gives back every date and every whole second", () => {
    const [date, timestamp] = [typeOf("date"), typeOf("timestamp")];
    const times = fc.date({
      min: new Date("0001-01-01"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(times, (at) => {
        const day = at.toISOString().slice(0, 10);
        expect(textOf(cellOf(day, date), date)).toBe(day);
        const second = `${at.toISOString().slice(0, 19)}Z`;
        const cell = cellOf(second, timestamp);
        expect(textOf(cell, timestamp)).toBe(second);
        expect(cell.kind).toBe(day < "1900-03-01" ? "text" : "number");
      }),
      { numRuns: 2000 },
    );
  });

  it("has the serials that spreadsheets have", () => {
    expect(cellOf("1900-03-01", typeOf("date")).value).toBe("61");
    expect(cellOf("2026-01-01", typeOf("date")).value).toBe("46023");
    expect(cellOf("2026-01-01T12:00:00Z", typeOf("timestamp")).value).toBe("46023.5");
    expect(cellOf("infinity", typeOf("date")).kind).toBe("text");
  });

  it("is addressed with letters", () => {
    expect([0, 25, 26, 701, 702, 16_383].map(columnLetters)).toEqual([
      "A",
      "Z",
      "AA",
      "ZZ",
      "AAA",
      "XFD",
    ]);
  });
});

describe("a format", () => {
  it("has a twin where the file itself cannot be queried", () => {
    const twins = ["a.csv", "a.parquet", "a.xlsx"].map((n) => needsTwin(ArtefactName.parse(n)));
    expect(twins).toEqual([false, false, true]);
  });
});
