import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { desk } from "./reading.js";

const SHARED = "../shared/inputs";
const PRESENT = existsSync(`${SHARED}/INDEX.tsv`);
if (!PRESENT) console.log(`skipped: ${SHARED} is not beside this project`);

const { engine, read } = await desk();
const money = "decimal(18,2)";
const ignore = { extra_columns: "ignore" };
const grouped = { type: money, thousands: "," };
const bare = { csv: { header: false } };

/** A file of other people, how a job declares it, and what INDEX.tsv says is in it. */
interface Public {
  readonly file: string;
  readonly spec: object;
  readonly counts: readonly [rows: number, rejected: number, skipped: number];
  readonly sums?: Readonly<Record<string, string>>;
  readonly refused?: readonly string[];
}
const FILES: readonly Public[] = [
  {
    file: "csv/csvkit__ks_1033_data.csv",
    spec: {
      ...ignore,
      columns: {
        quantity: "integer",
        acquisition_cost: money,
        total_cost: money,
        ship_date: { type: "timestamp", pattern: "M/D/YYYY H:mm:ss" },
      },
    },
    counts: [1575, 0, 0],
    sums: { total_cost: "4126824.62", "quantity * acquisition_cost": "4126824.62" },
  },
  {
    file: "csv/gold-prices__monthly.csv",
    spec: {
      columns: {
        month: { type: "text", header: "Date" },
        price: { type: "decimal(18,3)", header: "Price" },
      },
    },
    counts: [2322, 0, 0],
    sums: { price: "556703.803" },
  },
  {
    file: "csv/hledger__stripe.csv",
    spec: {
      ...ignore,
      columns: {
        created_utc: "timestamp",
        gross: money,
        fee: money,
        net: money,
        description: "text",
      },
    },
    counts: [2, 0, 0],
    sums: { gross: "11.23", fee: "0.00", net: "11.23" },
  },
  {
    file: "csv/bank2ynab__test_BOI_TransactionExport.csv",
    spec: {
      columns: {
        day: { type: "date", header: "Date", pattern: "DD/MM/YYYY" },
        details: { type: "text", header: "Details" },
        debit: { type: money, header: "Debit", blank: "null" },
        credit: { type: money, header: "Credit", blank: "null" },
        balance: { type: money, header: "Balance", blank: "null" },
      },
    },
    counts: [27, 0, 0],
    sums: { debit: "4260.83", credit: "3841.22" },
  },
  {
    file: "csv/data-act-broker-backend__sf_133.csv",
    spec: {
      ...ignore,
      columns: {
        availability: { type: "text", header: "Availability,Type Code" },
        year: { type: "integer", header: "Fiscal Year" },
        amount: { type: money, header: "Amount Summed" },
      },
    },
    counts: [73, 0, 0],
    sums: { amount: "7475159696.81" },
  },
  {
    file: "csv/data-act-broker-backend__appropTypeError.csv",
    spec: {
      ...ignore,
      columns: {
        totalbudgetaryresources_cpe: money,
        grossoutlayamountbytas_cpe: money,
        statusofbudgetaryresourcestotal_cpe: money,
      },
    },
    counts: [9, 1, 0],
    sums: { statusofbudgetaryresourcestotal_cpe: "118.22" },
    refused: ["NOT_A_NUMBER"],
  },
  {
    file: "csv/duckdb__big_number.csv",
    spec: { columns: { bignumber: "decimal(20,2)" } },
    counts: [1, 0, 0],
    sums: { bignumber: "82544000000000707.52" },
  },
  {
    file: "csv/duckdb__mixed_new_line.csv",
    spec: { ...bare, columns: { a: "integer", b: "integer", c: "integer" } },
    counts: [3, 0, 0],
    sums: { a: "12", b: "15", c: "18" },
  },
  {
    file: "csv/duckdb__mixed_dates.csv",
    spec: { columns: { a: { type: "integer", header: "A" }, b: { type: "date", header: "B" } } },
    counts: [4, 1, 0],
    refused: ["NOT_A_DATE"],
  },
  {
    file: "csv/duckdb__nfc_normalization.csv",
    spec: {
      csv: { header: false, delimiter: "|" },
      columns: { source: "text", nfc: "text", nfd: "text" },
    },
    counts: [18819, 0, 0],
    sums: { "CAST(source <> nfc AS INTEGER)": "2859" },
  },
  {
    file: "csv/duckdb__test_default_option.csv",
    spec: { columns: { col1: "text", col2: "integer" } },
    counts: [20480, 0, 0],
  },
  {
    file: "csv/duckdb__leading_zeros2.csv",
    spec: {
      ...ignore,
      columns: {
        comune: "text",
        data_entrata_in_carica: { type: "date", pattern: "DD/MM/YYYY" },
      },
    },
    counts: [5, 0, 0],
    sums: { "length(comune)": "45" },
  },
  {
    file: "csv/duckdb__multi_column_quote.csv",
    spec: { columns: { name: "text", money: grouped, city: "text" } },
    counts: [5, 0, 0],
    sums: { money: "10300400049.80" },
  },
  {
    file: "csv/csv-spectrum__newlines_crlf.csv",
    spec: { columns: { a: "text", b: "integer", c: "integer" } },
    counts: [3, 0, 0],
    sums: { b: "15", c: "18" },
  },
  {
    file: "csv/csvkit__Datagov_FY10_EDU_recp_by_State.csv",
    spec: {
      ...ignore,
      columns: {
        state: { type: "text", header: "State Name" },
        total: { type: "integer", header: "TOTAL", thousands: "," },
      },
      skip: { first: 2, last: 2 },
    },
    counts: [53, 0, 4],
    sums: { total: "800074" },
  },
  {
    file: "csv/bank2ynab__export_BE11123456789012_20180304_1422.csv",
    spec: {
      ...ignore,
      csv: { delimiter: ";" },
      columns: {
        statement: { type: "text", header: "Afschriftnummer" },
        day: { type: "date", header: "Datum", pattern: "DD/MM/YYYY" },
        amount: { type: money, header: "Bedrag", decimal: "," },
      },
    },
    counts: [1, 0, 0],
    sums: { amount: "-3.40", "CAST(statement = '  02018038' AS INTEGER)": "1" },
  },
  {
    file: "csv/bank-statement-import__debit_credit.csv",
    spec: {
      ...ignore,
      columns: {
        day: { type: "date", header: "Date", pattern: "MM/DD/YYYY" },
        amount: { ...grouped, header: "Amount" },
      },
    },
    counts: [2, 0, 0],
    sums: { amount: "-1500.00" },
  },
  {
    file: "csv/csvkit__null_byte.csv",
    spec: { columns: { a: "text", b: "integer", c: "integer" } },
    counts: [1, 0, 0],
  },
  {
    file: "csv/data-act-broker-backend__appropNullBytes.csv",
    spec: { ...ignore, columns: { row: { type: "text", header: "Row Number" } } },
    counts: [1, 0, 0],
  },
  {
    file: "csv/messytables__mixedGLB.csv",
    spec: {
      ...ignore,
      columns: {
        year: { type: "integer", header: "Year" },
        december: { type: "integer", header: "Dec", markers: ["****", "*****"] },
      },
      skip: { first: 3 },
    },
    counts: [133, 0, 3],
  },
  {
    file: "pairs/H1_networkrail/sample/clean_2017-01.csv",
    spec: {
      ...ignore,
      columns: {
        day: { type: "date", header: "Invoice GL Date" },
        spend: { type: money, header: "Spend" },
      },
      skip: { last: 1, starting_with: ["Grand Total"] },
    },
    counts: [1781, 0, 2],
    sums: { spend: "527269048.94" },
  },
  {
    file: "pairs/H3_sp500_constituents/new_56509dd.csv",
    spec: {
      ...ignore,
      columns: {
        symbol: { type: "text", header: "Symbol" },
        added: { type: "date", header: "Date added", blank: "null" },
      },
    },
    counts: [503, 0, 0],
  },
];

describe.skipIf(!PRESENT)("files of other people hold what an independent reader found", () => {
  test.each(FILES)("$file", async ({ file, spec, counts, sums = {}, refused = [] }) => {
    const seen = await read(readFileSync(`${SHARED}/${file}`), spec);
    expect([seen.rows, seen.rejected, seen.skipped]).toEqual(counts);
    expect(seen.refused.map((r) => r[3])).toEqual(refused);
    for (const [expression, sum] of Object.entries(sums)) {
      const sql = `SELECT CAST(sum(${expression}) AS VARCHAR) FROM ledger`;
      const asked = { sql, params: [], relations: [seen.relation], limit: 1 };
      expect([expression, (await engine.ask(asked)).rows[0]?.[0]]).toEqual([expression, sum]);
    }
  });
  test("two columns of one name are refused, even where extra ones are ignored", async () => {
    const columns = { id: "text", name: "text", age: "integer" };
    const file = readFileSync(`${SHARED}/csv/frictionless-py__duplicate-headers.csv`);
    await expect(read(file, { columns, ...ignore })).rejects.toThrow(/column id twice/);
  });
  test("a file of many faults loses no sound row, and names the lines of the others", async () => {
    const file = readFileSync(`${SHARED}/csv/duckdb__nightmare.csv`);
    const seen = await read(file, { columns: { a: "text", b: "text", c: "text" } });
    expect(seen).toMatchObject({ rows: 43, rejected: 4, records: 47 });
    expect(seen.refused.map((r) => `${r[1]} ${r[3]}`)).toEqual([
      ...["10 TOO_FEW_FIELDS", "14 TOO_MANY_FIELDS", "22 BAD_QUOTE", "38 BAD_UTF8"],
    ]);
  });
});
