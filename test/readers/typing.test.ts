import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CURRENCIES } from "../../src/model/money.js";
import { desk } from "./reading.js";

const { read } = await desk();
const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;

/** Reads texts as one column; for each its value, or the code of its reject. */
async function typed(
  column: object | string,
  texts: readonly string[],
): Promise<(string | null)[]> {
  const file = `v\n${texts.map((t) => `${quoted(t)}\n`).join("")}`;
  const seen = await read(file, { columns: { v: column } });
  const at = new Map<string, string | null>();
  for (const r of seen.table) at.set(r.at(-1) ?? "", r[0] ?? null);
  for (const r of seen.refused) at.set(r[1] ?? "", r[3] ?? null);
  let line = 2;
  return texts.map((t) => {
    const value = at.get(String(line)) ?? null;
    line += 1 + (t.match(/\r\n|\r|\n/g)?.length ?? 0);
    return value;
  });
}

type Expected = Readonly<Record<string, string | null>>;
const tables: readonly [string, object | string, Expected][] = [
  [
    "a decimal",
    "decimal(6,2)",
    {
      ...{ "1.00": "1.00", "-0.07": "-0.07", "1.5": "1.50", "1.500": "1.50", "007": "7.00" },
      ...{ ".5": "0.50", "-.50": "-0.50", "-0.00": "0.00", "0": "0.00", "9999.99": "9999.99" },
      ...{ "1.005": "TOO_MANY_DECIMALS", "1.0000001": "TOO_MANY_DECIMALS" },
      ...{ "10000.00": "OUT_OF_RANGE", "-99999": "OUT_OF_RANGE" },
      ...{ "": "BLANK", " 5": "NOT_A_NUMBER", "5 ": "NOT_A_NUMBER", "+5": "NOT_A_NUMBER" },
      ...{
        "1e3": "NOT_A_NUMBER",
        "1_000": "NOT_A_NUMBER",
        "5.": "NOT_A_NUMBER",
        "--5": "NOT_A_NUMBER",
      },
      ...{
        "1,000": "NOT_A_NUMBER",
        "0x10": "NOT_A_NUMBER",
        "١": "NOT_A_NUMBER",
        NaN: "NOT_A_NUMBER",
      },
      ...{
        "-": "NOT_A_NUMBER",
        ".": "NOT_A_NUMBER",
        "5\n": "NOT_A_NUMBER",
        "1.5.0": "NOT_A_NUMBER",
      },
    },
  ],
  [
    "an integer",
    "integer",
    {
      ...{
        "9223372036854775807": "9223372036854775807",
        "-9223372036854775808": "-9223372036854775808",
      },
      ...{
        "9223372036854775808": "OUT_OF_RANGE",
        "2.00": "2",
        "2.5": "TOO_MANY_DECIMALS",
        "007": "LEADING_ZERO",
        "-013": "LEADING_ZERO",
        "0": "0",
      },
      ...{ true: "NOT_A_NUMBER", "0b1": "NOT_A_NUMBER", "-0": "0" },
    },
  ],
  [
    "a decimal comma with points between thousands",
    { type: "decimal(18,2)", decimal: ",", thousands: "." },
    {
      ...{
        "1.234.567,5": "1234567.50",
        "1234,50": "1234.50",
        "-1.000": "-1000.00",
        "5,00": "5.00",
      },
      ...{ "1.23": "NOT_A_NUMBER", "1,234.50": "NOT_A_NUMBER", "1.2345,0": "NOT_A_NUMBER" },
      ...{ "5.00": "NOT_A_NUMBER", "1,005": "TOO_MANY_DECIMALS", "1,2,3": "NOT_A_NUMBER" },
    },
  ],
  [
    "a decimal comma alone",
    { type: "decimal(18,2)", decimal: "," },
    { "12,30": "12.30", "12,3": "12.30", "12.30": "NOT_A_NUMBER", "12": "12.00", "-0,5": "-0.50" },
  ],
  [
    "apostrophes between thousands",
    { type: "decimal(18,2)", thousands: "'" },
    { "1'234.50": "1234.50", "1'23.50": "NOT_A_NUMBER", "'123.00": "NOT_A_NUMBER" },
  ],
  [
    "brackets",
    { type: "decimal(18,2)", negative: "brackets", thousands: "," },
    {
      ...{ "(5.00)": "-5.00", "(1,234.5)": "-1234.50", "-5.00": "-5.00", "5.00": "5.00" },
      ...{
        "(5.00": "NOT_A_NUMBER",
        "5.00)": "NOT_A_NUMBER",
        "(-5.00)": "NOT_A_NUMBER",
        "()": "NOT_A_NUMBER",
      },
      ...{ "(1.005)": "TOO_MANY_DECIMALS", "($5.00)": "NOT_A_NUMBER" },
    },
  ],
  [
    "a trailing minus",
    { type: "decimal(18,2)", negative: "trailing_minus" },
    {
      "5.00-": "-5.00",
      "5-": "-5.00",
      "-5.00-": "NOT_A_NUMBER",
      "-": "NOT_A_NUMBER",
      "5.00": "5.00",
    },
  ],
  [
    "a date",
    "date",
    {
      ...{ "2024-02-29": "2024-02-29", "0001-01-01": "0001-01-01", "9999-12-31": "9999-12-31" },
      ...{ "2026-02-29": "NOT_A_DATE", "2026-11-29junk": "NOT_A_DATE", "2026-1-2": "NOT_A_DATE" },
      ...{ " 2026-01-01": "NOT_A_DATE", "2026/01/01": "NOT_A_DATE", infinity: "NOT_A_DATE" },
      ...{
        epoch: "NOT_A_DATE",
        "0000-01-01": "NOT_A_DATE",
        "2026-01-01 (BC)": "NOT_A_DATE",
        "": "BLANK",
      },
    },
  ],
  [
    "a date by its pattern",
    { type: "date", pattern: "DD/MM/YYYY" },
    {
      ...{ "31/12/2026": "2026-12-31", "01/02/2026": "2026-02-01", "1/2/2026": "NOT_A_DATE" },
      ...{ "31/02/2026": "NOT_A_DATE", "12/31/2026": "NOT_A_DATE", "2026-12-31": "NOT_A_DATE" },
      ...{ "01/02/26": "NOT_A_DATE", "01/02/20266": "NOT_A_DATE" },
    },
  ],
  [
    "a timestamp in UTC",
    "timestamp",
    {
      ...{
        "2026-01-31 10:11:12": "2026-01-31T10:11:12Z",
        "2026-01-31T10:11": "2026-01-31T10:11:00Z",
      },
      ...{ "2026-01-31 10:11:12.5": "2026-01-31T10:11:12.500000Z" },
      ...{
        "2026-01-31T10:11:12+02:00": "2026-01-31T08:11:12Z",
        "2026-01-31T10:11:12Z": "2026-01-31T10:11:12Z",
      },
      ...{ "2026-01-31": "NOT_A_TIME", "2026-01-31 25:00:00": "NOT_A_TIME", now: "NOT_A_TIME" },
      ...{ "2026-02-30 10:00:00": "NOT_A_TIME", "2026-01-31 10:11:12.1234567": "NOT_A_TIME" },
    },
  ],
  [
    "a timestamp of a zone",
    "timestamp(Europe/Paris)",
    {
      ...{
        "2026-07-01 12:00:00": "2026-07-01T10:00:00Z",
        "2026-01-01 12:00:00": "2026-01-01T11:00:00Z",
      },
      ...{ "2026-03-29 02:30:00": "NOT_AN_INSTANT", "2026-10-25 02:30:00": "NOT_AN_INSTANT" },
      ...{
        "2026-03-29 01:59:59": "2026-03-29T00:59:59Z",
        "2026-03-29 03:00:00": "2026-03-29T01:00:00Z",
      },
      ...{
        "2026-10-25 02:30:00+02:00": "2026-10-25T00:30:00Z",
        "2026-10-25 03:00:00": "2026-10-25T02:00:00Z",
      },
      ...{ "2026-10-25 01:59:59": "2026-10-24T23:59:59Z" },
    },
  ],
  [
    "a timestamp by its pattern",
    { type: "timestamp(America/New_York)", pattern: "M/D/YYYY H:mm:ss" },
    {
      ...{
        "5/19/2006 0:00:00": "2006-05-19T04:00:00Z",
        "12/1/2006 13:05:09": "2006-12-01T18:05:09Z",
      },
      ...{ "05/19/2006 0:00:00": "NOT_A_TIME", "5/19/2006": "NOT_A_TIME" },
    },
  ],
  [
    "a boolean",
    "boolean",
    {
      true: "true",
      FALSE: "false",
      True: "true",
      t: "NOT_A_BOOLEAN",
      "1": "NOT_A_BOOLEAN",
      yes: "NOT_A_BOOLEAN",
    },
  ],
  [
    "blanks that are declared",
    { type: "integer", blank: "null" },
    { "": null, " ": "NOT_A_NUMBER", "5": "5" },
  ],
];

describe("a text is its exact value, or a reject that says why", () => {
  test.each(tables)("%s", async (_, column, expected) => {
    const seen = await typed(column, Object.keys(expected));
    expect(Object.fromEntries(Object.keys(expected).map((t, i) => [t, seen[i]]))).toEqual(expected);
  });

  test("any decimal written with its scale comes back as the same text", async () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }), fc.nat({ max: 18 }))
      .map(([n, shift]) => n / 10n ** BigInt(shift));
    const scales = fc.constantFrom(0, 1, 2, 5, 18);
    await fc.assert(
      fc.asyncProperty(
        fc.array(decimal, { minLength: 50, maxLength: 200 }),
        scales,
        async (ns, s) => {
          const texts = ns.map((n) => fixed(n, s));
          expect(await typed(`decimal(18,${s})`, texts)).toEqual(texts);
        },
      ),
      { numRuns: 10 },
    );
  });

  test("a decimal with one digit too many is never rounded, whatever the digit", async () => {
    const texts = Array.from({ length: 1000 }, (_, i) => fixed(BigInt(i * 7919 - 400_000), 3));
    const seen = await typed("decimal(18,2)", texts);
    for (const [i, text] of texts.entries())
      expect(seen[i]).toBe(text.endsWith("0") ? text.slice(0, -1) : "TOO_MANY_DECIMALS");
  });
});

/** `n` × 10^-scale as text with all decimals. */
function fixed(n: bigint, scale: number): string {
  const digits = String(n < 0n ? -n : n).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  return `${n < 0n ? "-" : ""}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ""}`;
}

describe("columns that need another", () => {
  test("an amount has at most its row's currency's decimals", async () => {
    const columns = { amount: "money(by currency)", currency: "text" };
    const cases = [...CURRENCIES].map(([code, scale]) => ({
      ...{ code, fits: fixed(-15n, scale), over: fixed(15n, scale + 1) },
    }));
    const lines = cases.flatMap((c) => [`${c.fits},${c.code}\n`, `${c.over},${c.code}\n`]);
    const seen = await read(`amount,currency\n${lines.join("")}`, { columns });
    const whole = seen.table.map((r) => [r[1], r[0]?.replace(/\.?0+$/, "")]);
    expect(whole).toEqual(cases.map((c) => [c.code, c.fits]));
    expect(seen.refused.map((r) => r[3])).toEqual(cases.map(() => "TOO_MANY_DECIMALS"));
  });
  test("an amount of no currency of ISO 4217 is a reject", async () => {
    const columns = { amount: "money(by currency)", currency: "text" };
    const seen = await read("amount,currency\n1,XYZ\n1,usd\n1,\n1,USD\n", { columns });
    expect(seen.refused.map((r) => r[3])).toEqual(Array(3).fill("UNKNOWN_CURRENCY"));
    expect(seen.table[0]?.slice(0, 2)).toEqual(["1.0000", "USD"]);
  });
  test("a marker is no value, even where it reads as one, and stays beside it", async () => {
    const columns = {
      amount: { type: "decimal(18,2)", markers: ["*", "0.00"], blank: "null" },
      note: { type: "text", markers: ["n/a"] },
    };
    const seen = await read("amount,note\n*,x\n0.00,n/a\n,\n0,*\nn/a,y\n", { columns });
    expect(seen.relation.columns.map((c) => c.name)).toEqual([
      ...["amount", "amount_marker", "note", "note_marker"],
    ]);
    expect(seen.table.map((r) => r.slice(0, 4))).toEqual([
      [null, "*", "x", null],
      [null, "0.00", null, "n/a"],
      [null, null, "", null],
      ["0.00", null, "*", null],
    ]);
    expect(seen.refused.map((r) => r.slice(1, 4))).toEqual([["6", "amount", "NOT_A_NUMBER"]]);
  });
  test("options that cannot be are refused before any file is read", async () => {
    for (const v of [
      { type: "decimal(18,2)", thousands: "." },
      { type: "integer", blank: "keep" },
      { type: "date", pattern: "DD/MM" },
      { type: "date", pattern: "DD/MM/YYYY HH:mm" },
      { type: "date", pattern: "DD/MM/YYY" },
      { type: "money(by currency)" },
    ])
      await expect(read("v\n1\n", { columns: { v } })).rejects.toMatchObject({
        code: "JOB_INVALID",
      });
    for (const csv of [{ delimiter: "é" }, { quote: "," }, { delimiter: "\n" }])
      await expect(read("v\n1\n", { columns: { v: "text" }, csv })).rejects.toMatchObject({
        code: "JOB_INVALID",
      });
  });
});

test("text is what another parser reads, whatever needs quotes", async () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom(
      "",
      '"',
      '""',
      ",",
      "\n",
      "\r\n",
      "a\nb",
      " ",
      "é",
      "\0",
      "#",
      "NULL",
      "\\",
      "𝔸",
    ),
  );
  const records = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 40 });
  const end = fc.constantFrom("\n", "\r\n");
  const columns = { a: "text", b: "text", c: "text" };
  const bare = /^[^",\r\n ][^",\r\n]*$/;
  await fc.assert(
    fc.asyncProperty(records, end, fc.boolean(), async (rows, eol, always) => {
      const write = (v: string): string => (!always && bare.test(v) ? v : quoted(v));
      const body = rows.map((r) => r.map(write).join(",") + eol).join("");
      const file = `a,b,c${eol}${body}`;
      const oracle = parse(file, { from_line: 2, record_delimiter: eol });
      const seen = await read(file, { columns });
      expect(seen.table.map((r) => r.slice(0, 3))).toEqual(oracle);
    }),
    { numRuns: 40 },
  );
});
