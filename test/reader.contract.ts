import { describe, expect, test } from "vitest";
import { isTieout } from "../src/model/errors.js";
import type { Desk } from "./readers/reading.js";

/** How a reader's tests make one source file of a small table: the first row is the header. */
export type Table = readonly (readonly string[])[];

const COLUMNS = { id: "text", day: "date", amount: "decimal(18,2)" };
const HEADER = ["id", "day", "amount"];
const GOOD: Table = [
  HEADER,
  ["a", "2026-01-31", "1.00"],
  ["b", "2026-02-01", "-90071992547409.93"],
  ["c", "2026-02-02", "0.10"],
];
const MIXED: Table = [
  HEADER,
  ["a", "2026-01-31", "1.00"],
  ["b", "2026-02-30", "2.00"],
  ["c", "2026-02-02", "1.005"],
  ["d", "2026-02-03", "4.00"],
];

/**
 * What every reader must do; each adapter's test file runs it with its own way to write a table.
 */
export function readerContract(desk: Desk, write: (table: Table) => Uint8Array): void {
  const read = (table: Table, spec: object = {}) =>
    desk.read(write(table), { columns: COLUMNS, ...spec });

  describe("every source record is a row, a reject or a skip", () => {
    test("rows keep their order, their exact values, their file and their line", async () => {
      const seen = await read(GOOD);
      expect(seen).toMatchObject({ rows: 3, rejected: 0, skipped: 0, records: 3, rejects: null });
      expect(seen.table).toEqual([
        ["a", "2026-01-31", "1.00", "ledger.csv", "2"],
        ["b", "2026-02-01", "-90071992547409.93", "ledger.csv", "3"],
        ["c", "2026-02-02", "0.10", "ledger.csv", "4"],
      ]);
    });
    test("a value that does not fit is a reject with its line, and the others stay", async () => {
      const seen = await read(MIXED);
      expect(seen).toMatchObject({ rows: 2, rejected: 2, skipped: 0, records: 4 });
      expect(seen.table.map((r) => [r[0], r.at(-1)])).toEqual([
        ["a", "2"],
        ["d", "5"],
      ]);
      expect(seen.refused.map((r) => [...r.slice(0, 4), r[5]])).toEqual([
        ["ledger.csv", "3", "day", "NOT_A_DATE", "2026-02-30"],
        ["ledger.csv", "4", "amount", "TOO_MANY_DECIMALS", "1.005"],
      ]);
    });
    test("what is told of the first rejects says where and why, and holds no data", async () => {
      const { rejects } = await read(MIXED);
      expect(rejects?.first.map((r) => [r.file, r.line, r.column, r.code])).toEqual([
        ["ledger.csv", 3, "day", "NOT_A_DATE"],
        ["ledger.csv", 4, "amount", "TOO_MANY_DECIMALS"],
      ]);
      expect(JSON.stringify(rejects?.first)).not.toMatch(/2026-02-30|1\.005/);
    });
    test("of many rejects five are told and all are written", async () => {
      const many = Array.from({ length: 12 }, (_, i) => [`r${i}`, "2026-01-01", "x"]);
      const seen = await read([HEADER, ...many]);
      expect(seen.rejects?.first).toHaveLength(5);
      expect(seen.refused).toHaveLength(12);
      expect(seen).toMatchObject({ rows: 0, rejected: 12, records: 12 });
    });
  });

  describe("what the job declares is what is read", () => {
    test("columns come in the declared order, whatever the source's", async () => {
      const turned = GOOD.map((row) => [...row].reverse());
      expect((await read(turned)).table).toEqual((await read(GOOD)).table);
    });
    test("every missing and undeclared column is named at once", async () => {
      const [, ...rows] = GOOD;
      const failure = await read([["id", "date", "ammount"], ...rows]).catch((e) => e);
      expect(isTieout(failure, "INPUT_INVALID")).toBe(true);
      expect(String(failure)).toMatch(/day/);
      expect(String(failure)).toMatch(/amount \(perhaps ammount\)/);
      expect(String(failure)).toMatch(/date/);
    });
    test("a source without rows is refused, unless that is declared to be fine", async () => {
      await expect(read([HEADER])).rejects.toMatchObject({ code: "INPUT_INVALID" });
      const seen = await read([HEADER], { allow_empty: true });
      expect(seen).toMatchObject({ rows: 0, records: 0, table: [] });
    });
    test("declared skips are counted, not lost and not read", async () => {
      const seen = await read([...GOOD, ["Total", "", "9.99"], ["end", "", ""]], {
        skip: { last: 1, starting_with: ["Tot"] },
      });
      expect(seen).toMatchObject({ rows: 3, rejected: 0, skipped: 2, records: 5 });
    });
  });

  describe("the same source gives the same bytes", () => {
    test("typed files and rejects are equal, byte for byte", async () => {
      const hashes = async (table: Table) => (await read(table)).hashes;
      expect(await hashes(GOOD)).toEqual(await hashes(GOOD));
      expect(await hashes(MIXED)).toEqual(await hashes(MIXED));
    });
    test("several files of an input are one relation, in the order given", async () => {
      const files = { "b.csv": write(GOOD), "c.csv": write(MIXED) };
      const seen = await desk.read(files, { columns: COLUMNS });
      expect(seen).toMatchObject({ rows: 5, rejected: 2, records: 7 });
      expect(seen.table.map((r) => `${r.at(-2)}:${r.at(-1)}`)).toEqual([
        ...["b.csv:2", "b.csv:3", "b.csv:4"],
        ...["c.csv:2", "c.csv:5"],
      ]);
    });
  });
}
