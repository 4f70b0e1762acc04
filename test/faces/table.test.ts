import fc from "fast-check";
import { expect, test } from "vitest";
import { counted, sized, table } from "../../src/faces/table.js";

const cell = fc.string({ unit: "grapheme", maxLength: 60 });

test("a table has one line a row, whatever its cells hold", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
      const lines = table(["a", "b"], rows).split("\n");
      expect(lines.length).toBe(rows.length + 2);
    }),
  );
});

test("a line break or a tab in a cell is shown as its escape", () => {
  expect(table(["memo"], [["two\nlines"], ["a\ttab"]])).toBe("memo\ntwo\\u{a}lines\na\\u{9}tab\n");
});

test("a long cell moves its own row and pads no other", () => {
  const long = "x".repeat(200);
  const [, short, moved] = table(
    ["memo", "n"],
    [
      ["a", "1"],
      [long, "2"],
    ],
  ).split("\n");
  expect(short?.length).toBeLessThan(70);
  expect(moved).toBe(`${long}  2`);
});

test("numbers stand to the right, text to the left", () => {
  expect(
    table(
      ["id", "n"],
      [
        ["a", "1,000"],
        ["bc", "-2"],
      ],
    ),
  ).toBe("id      n\na   1,000\nbc     -2\n");
});

test("counts are grouped and sizes are rounded down", () => {
  expect(counted(1234567)).toBe("1,234,567");
  expect([sized(999), sized(90_599), sized(1_999_999)]).toEqual(["999 B", "90.5 kB", "1.9 MB"]);
});
