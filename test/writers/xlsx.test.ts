import Excel from "exceljs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { xmlText } from "../../src/formats/xlsx-text.js";
import { xlsxWriter } from "../../src/writers/xlsx.js";
import { type Laboratory, laboratory, type Rows } from "../checks/laboratory.js";
import { NASTY, NASTY_COLUMNS, NASTY_TEXTS, writerContract } from "../writer.contract.js";

writerContract("xlsx", "xlsx", xlsxWriter, (rows) => xlsxWriter({ rows }));

describe("a workbook, as another reader sees it", () => {
  let lab: Laboratory;
  let files = 0;
  beforeAll(async () => {
    lab = await laboratory();
  });
  afterAll(() => lab.close());

  async function workbook(
    rows: Rows,
    { title = "Breaks", limit = 1000, columns = NASTY_COLUMNS as Record<string, string> } = {},
  ): Promise<Excel.Workbook> {
    const twin = await lab.relation("t", columns, rows);
    const to = lab.path(`${files++}.xlsx`);
    await xlsxWriter({ rows: limit }).write({ twin, title, to }, lab.engine);
    const book = new Excel.Workbook();
    await book.xlsx.readFile(to);
    return book;
  }
  const sheetOf = (book: Excel.Workbook, i = 0): Excel.Worksheet => {
    const sheet = book.worksheets[i];
    if (!sheet) throw new Error("no sheet");
    return sheet;
  };

  it("has a frozen, filtered header and columns as wide as their names", async () => {
    const sheet = sheetOf(await workbook(NASTY, { columns: { ...NASTY_COLUMNS } }));
    expect(sheet.views[0]).toMatchObject({ state: "frozen", ySplit: 1 });
    expect(sheet.autoFilter).toBe(`A1:G${NASTY.length + 1}`);
    expect(sheet.getRow(1).values).toEqual([undefined, ...Object.keys(NASTY_COLUMNS)]);
    expect(sheet.getCell("A1").font.bold).toBe(true);
    const wide = await workbook([], { columns: { a_rather_long_name_of_a_column: "text" } });
    expect(sheetOf(wide).getColumn(1).width).toBeGreaterThan(30);
  });

  it("holds every text as text, never as a formula, a number or a date", async () => {
    const sheet = sheetOf(await workbook(NASTY));
    for (const [i, text] of NASTY_TEXTS.entries()) {
      const cell = sheet.getCell(i + 2, 1);
      expect([Excel.ValueType.String, Excel.ValueType.Null]).toContain(cell.type);
      expect(cell.numFmt).toBe("@");
      // this reader knows no _xHHHH_, decodes entities twice and has no empty text
      if (text !== "" && !text.includes("&") && xmlText(text).indexOf("_x") < 0)
        expect(cell.value).toBe(text);
    }
  });

  it("holds dates as dates of that day, and those before March 1900 as text", async () => {
    const days = [
      "2026-08-10",
      "1900-03-01",
      "2024-02-29",
      "9999-12-31",
      "1900-02-28",
      "1899-12-31",
    ];
    const book = await workbook(
      days.map((d) => [d]),
      { columns: { day: "date" } },
    );
    const values = days.map((_, i) => sheetOf(book).getCell(i + 2, 1).value);
    const dates = values.map((v) => (v instanceof Date ? v.toISOString().slice(0, 10) : v));
    expect(dates).toEqual(days);
    expect(values.map((v) => v instanceof Date)).toEqual([true, true, true, true, false, false]);
    expect(sheetOf(book).getCell("A2").numFmt).toBe("yyyy-mm-dd");
  });

  it("holds a number where a double holds each digit, and shows its decimals", async () => {
    const amounts = ["-0.07", "1234567890123.45", "12345678901234.56", "0.00", "100.00"];
    const book = await workbook(
      amounts.map((a) => [a]),
      { columns: { amount: "money(USD)" } },
    );
    const cells = amounts.map((_, i) => sheetOf(book).getCell(i + 2, 1));
    expect(cells.map((c) => c.value)).toEqual([
      -0.07,
      1234567890123.45,
      "12345678901234.56",
      0,
      100,
    ]);
    expect(cells[0]?.numFmt).toBe("#,##0.00");
    const ids = await workbook([["123456789012345"], ["1234567890123456"]], {
      columns: { n: "integer" },
    });
    expect(sheetOf(ids).getCell("A2").value).toBe(123456789012345);
    expect(sheetOf(ids).getCell("A3").value).toBe("1234567890123456");
  });

  it("leaves a null without a cell, so that it is not an empty text", async () => {
    const sheet = sheetOf(await workbook([[null], [""]], { columns: { a: "text" } }));
    expect(sheet.findRow(2)?.findCell(1)).toBeUndefined();
    expect(sheet.findRow(3)?.findCell(1)?.numFmt).toBe("@");
  });

  it.each([
    ["Discrepancies: 10/08 [final] * ?", "Discrepancies  10 08  final"],
    ["a".repeat(31).concat("b"), "a".repeat(31)],
    ["a".repeat(30).concat("😀"), "a".repeat(30)],
    ["'quoted'", "quoted"],
    ['it\'s <b> & "c"', 'it\'s <b> & "c"'],
    ["tieout", "tieout rows"],
    ["???", "rows"],
  ])("names its sheet after the title %j", async (title, name) => {
    expect(sheetOf(await workbook([], { title })).name).toBe(name);
  });

  it("says on a last sheet what it has no room for, and where all rows are", async () => {
    const book = await workbook([["a"], ["b"], ["c"]], { limit: 2, columns: { a: "text" } });
    expect(book.worksheets.map((s) => s.name)).toEqual(["Breaks", "tieout"]);
    const note = sheetOf(book, 1);
    expect([1, 2, 3].map((i) => note.getCell(i, 2).value)).toEqual([3, 2, 1]);
    expect(note.getCell("B4").value).toMatch(/^t\.\d+\.parquet$/);
    expect(sheetOf(book).rowCount).toBe(3);
  });

  it("refuses a text longer than a cell, naming its address and not the text", async () => {
    const rows = [["a"], ["x".repeat(32_768)]];
    await expect(workbook(rows, { columns: { a: "text" } })).rejects.toMatchObject({
      code: "INEXACT",
      subject: expect.stringMatching(/\.xlsx!A3$/),
    });
    const most = await workbook([["x".repeat(32_767)]], { columns: { a: "text" } });
    expect(String(sheetOf(most).getCell("A2").value)).toHaveLength(32_767);
  });
});
