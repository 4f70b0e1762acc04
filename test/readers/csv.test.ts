import { describe, expect, test } from "vitest";
import { readerContract, type Table } from "../reader.contract.js";
import { desk } from "./reading.js";

const here = await desk();
const { read } = here;

function csv(table: Table): Uint8Array {
  return Buffer.from(table.map((row) => `${row.join(",")}\n`).join(""));
}
readerContract(here, csv);

/** The declared columns of each row, without `_file` and `_line`. */
async function rows(file: string | Uint8Array, spec: object) {
  return (await read(file, spec)).table.map((r) => r.slice(0, -2));
}
/** Line, column and code of each reject. */
async function refusals(file: string | Uint8Array, spec: object) {
  return (await read(file, spec)).refused.map((r) => r.slice(1, 4).join(" "));
}

describe("what public bug reports say went wrong elsewhere is right here", () => {
  const text = (...names: string[]) => ({
    columns: Object.fromEntries(names.map((n) => [n, "text"])),
  });
  const money = { columns: { amt: "decimal(18,2)" } };
  test("H01 leading zeros of a text stay", async () => {
    expect(
      await rows("site,n\n04210,1\n73000,2\n", { columns: { site: "text", n: "integer" } }),
    ).toEqual([
      ["04210", "1"],
      ["73000", "2"],
    ]);
  });
  test("H02 ids of twenty digits stay two ids", async () => {
    const file = "id,v\n70000000000000000001,a\n70000000000000000002,b\n";
    expect(await rows(file, text("id", "v"))).toEqual([
      ["70000000000000000001", "a"],
      ["70000000000000000002", "b"],
    ]);
  });
  test("H03 NA is text like any other", async () => {
    const columns = { cc: "text", amt: "decimal(18,2)" };
    expect(await rows('cc,amt\nNA,10.00\n"NA",5.00\nSE,1.00\n', { columns })).toEqual([
      ["NA", "10.00"],
      ["NA", "5.00"],
      ["SE", "1.00"],
    ]);
  });
  test("H04 letters are no booleans", async () => {
    const file = "flag,class\nf,t\nt,c\nf,f\n";
    expect(await rows(file, text("flag", "class"))).toEqual([
      ["f", "t"],
      ["t", "c"],
      ["f", "f"],
    ]);
    expect(await refusals(file, { columns: { flag: "boolean", class: "text" } })).toHaveLength(3);
  });
  test("H05 seventeen digits stay exact", async () => {
    const columns = { amt: "decimal(20,2)" };
    expect(await rows("amt\n70021000000000904.37\n", { columns })).toEqual([
      ["70021000000000904.37"],
    ]);
  });
  test("H06 H07 sums of what is read are exact", async () => {
    const sum = async (file: string, type: string) => {
      const { relation } = await read(file, { columns: { amt: type } });
      const sql = "SELECT CAST(sum(amt) AS VARCHAR) FROM ledger";
      const asked = { sql, params: [], relations: [relation], limit: 1 };
      return (await here.engine.ask(asked)).rows[0]?.[0];
    };
    expect(await sum(`amt\n${"0.10\n".repeat(10)}0.70\n`, "decimal(18,2)")).toBe("1.70");
    expect(await sum("amt\n9007199254740993\n2\n", "integer")).toBe("9007199254740995");
  });
  test("H08 dates of another form are rejects with their lines, never invented", async () => {
    const d = { type: "date", pattern: "MM/DD/YYYY" };
    const seen = await read("d\n2025-02-03\n04/05/2025\n2025-02-06\n", { columns: { d } });
    expect(seen.table).toEqual([["2025-04-05", "ledger.csv", "3"]]);
    expect(seen.refused.map((r) => r[1])).toEqual(["2", "4"]);
  });
  test("H09 one stray row is one reject", async () => {
    const columns = { n: "text", d: { type: "date", pattern: "YYYY/MM/DD" } };
    const seen = await read("n,d\nann,2025/03/04\n9,9\n", { columns });
    expect(seen.table[0]?.slice(0, 2)).toEqual(["ann", "2025-03-04"]);
    expect(seen.refused[0]?.slice(1, 4)).toEqual(["3", "d", "NOT_A_DATE"]);
  });
  test("H10 H11 good rows around a ragged one stay", async () => {
    const ab = { columns: { a: "integer", b: "integer" } };
    const extra = await read("a,b\n1,2\n3,4,5\n6,7\n", ab);
    expect(extra).toMatchObject({ rows: 2, rejected: 1, records: 3 });
    const note = await read("a,b\n1,2\nsee note\n3,4\n", ab);
    expect(note.refused[0]?.slice(1)).toEqual([
      ...["3", "", "TOO_FEW_FIELDS"],
      ...["the record has fewer fields than there are columns", "see note"],
    ]);
  });
  test("H12 rows with quoted line breaks all arrive, on their lines, from many blocks", async () => {
    const records = 60_000;
    const body = Array.from(
      { length: records },
      (_, i) => `${i}\t"{""k"":\n${i}, ""x"": ""y\tz""}"\n`,
    );
    const spec = { columns: { id: "integer", json: "text" }, csv: { delimiter: "\t" } };
    const seen = await read(`id\tjson\n${body.join("")}`, spec);
    expect(seen).toMatchObject({ rows: records, records });
    expect(seen.table.every((r, i) => r[0] === String(i) && r[3] === String(2 + 2 * i))).toBe(true);
  });
  test("H13 a line break before the closing quote belongs to the value", async () => {
    const columns = { id: "text", memo: "text", amt: "decimal(18,2)" };
    expect(await rows('id,memo,amt\n1,"paid\n",4.00\n', { columns })).toEqual([
      ["1", "paid\n", "4.00"],
    ]);
  });
  test("H14 a byte order mark is no part of the first name", async () => {
    expect(await rows("\ufeffref,amt\nA,1\n", text("ref", "amt"))).toEqual([["A", "1"]]);
    const bare = { ...text("ref"), csv: { header: false } };
    expect(await rows("\ufeffA\n", bare)).toEqual([["A"]]);
  });
  test("H15 the header is declared, not guessed", async () => {
    const bare = { ...text("code"), csv: { header: false } };
    expect(await rows("AB1\nAB2\n", bare)).toEqual([["AB1"], ["AB2"]]);
    const failure = await read("AB1\nAB2\n", text("code")).catch((e) => e);
    expect(failure).toMatchObject({ code: "INPUT_INVALID" });
    expect(JSON.stringify(failure)).not.toMatch(/AB1/);
  });
  test("H16 a header alone is no row, and columns keep their types", async () => {
    const seen = await read("amt\n", { ...money, allow_empty: true });
    expect(seen.relation.columns).toEqual([{ name: "amt", type: "decimal(18,2)" }]);
    expect(seen.table).toEqual([]);
  });
  test("H17 the number of files changes nothing", async () => {
    const part = (i: number) => `d,n\n${i === 3 ? "" : "2025-01-01"},${i}\n`;
    const files = Object.fromEntries(
      Array.from({ length: 11 }, (_, i) => [`p${10 + i}.csv`, part(i)]),
    );
    const seen = await read(files, {
      columns: { d: { type: "date", blank: "null" }, n: "integer" },
    });
    expect(seen).toMatchObject({ rows: 11, records: 11 });
    expect(seen.table[3]?.[0]).toBeNull();
  });
  test("H18 a column twice is refused by name", async () => {
    await expect(read("amt,cur,amt\n5,EUR,9\n", text("amt", "cur"))).rejects.toThrow(/amt twice/);
  });
  test("H19 a NUL byte is kept", async () => {
    expect(await rows("a,b\nx\0y,1\n", text("a", "b"))).toEqual([["x\0y", "1"]]);
  });
  test("H25 an amount with a currency sign is a reject, never ten times as much", async () => {
    const amt = { type: "decimal(18,2)", decimal: "." };
    const spec = { columns: { d: "date", amt }, csv: { delimiter: ";" } };
    expect(await refusals('d;amt\n2025-05-01;" -41.3 €"\n', spec)).toEqual(["2 amt NOT_A_NUMBER"]);
    expect(await rows("d;amt\n2025-05-01;-41.3\n", spec)).toEqual([["2025-05-01", "-41.30"]]);
  });
  test("H26 brackets are a minus where that is declared, and only there", async () => {
    const columns = { amt: { type: "decimal(18,2)", negative: "brackets" } };
    expect(await rows("amt\n(12.40)\n", { columns })).toEqual([["-12.40"]]);
    expect(await refusals("amt\n(12.40)\n", money)).toEqual(["2 amt NOT_A_NUMBER"]);
  });
  test("H27 grouping is read where it is declared, and never as a decimal sign", async () => {
    const columns = { amt: { type: "integer", thousands: "," } };
    expect(await rows('amt\n"2,000"\n"3,500"\n', { columns })).toEqual([["2000"], ["3500"]]);
    expect(await refusals('amt\n"2,000"\n', money)).toEqual(["2 amt NOT_A_NUMBER"]);
  });
  test("H28 equal rows are two rows", async () => {
    const columns = { d: "date", amt: "decimal(18,2)", txt: "text" };
    const line = "2025-01-07,-2.90,TRAM\n";
    expect(await rows(`d,amt,txt\n${line}${line}`, { columns })).toHaveLength(2);
  });
});

describe("the shape of a record decides before its values", () => {
  const ab = { columns: { a: "text", b: "text" } };
  test("one bad quote takes no later line along", async () => {
    const seen = await read('a,b\n1,"open\n2,x\n3,"y"z\n4,"w"\n', ab);
    expect(seen.table.map((r) => r[0])).toEqual(["2", "4"]);
    expect(seen.refused.map((r) => r.slice(1, 4))).toEqual([
      ["2", "", "BAD_QUOTE"],
      ["4", "", "BAD_QUOTE"],
    ]);
  });
  test("bytes that are not UTF-8 are a reject that shows them", async () => {
    const seen = await read(Buffer.from("a,b\ncaf\xe9,1\nx,2\n", "latin1"), ab);
    expect(seen.refused.map((r) => [r[1], r[3], r[5]])).toEqual([["2", "BAD_UTF8", "caf\\xE9,1"]]);
    expect(seen.table.map((r) => r.at(-1))).toEqual(["3"]);
  });
  test("a record of more than a mebibyte is a reject, its text cut and that said", async () => {
    const seen = await read(`a,b\n${"x".repeat(3 << 20)},1\ny,2\n`, ab);
    expect(seen.refused.map((r) => r.slice(1, 4))).toEqual([["2", "", "RECORD_TOO_LONG"]]);
    expect(seen.refused[0]?.[5]).toMatch(/^x{100000} … \(\d+ bytes or more\)$/);
    expect(seen.table.map((r) => r.at(-1))).toEqual(["3"]);
  });
  test("UTF-16 is refused by name, and so is an empty file", async () => {
    await expect(read(Buffer.from("\ufeffa,b\n", "utf16le"), ab)).rejects.toThrow(/UTF-16/);
    await expect(read("", ab)).rejects.toThrow(/empty/);
  });
  test("every kind of line end is read, and line numbers count them all", async () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const seen = await read(["a,b", "1,x", '"2', '2",y', "", "3,z"].join(end), ab);
      expect(seen.table.map((r) => [r[0], r.at(-1)])).toEqual([
        ["1", "2"],
        [`2${end}2`, "3"],
        ["3", "6"],
      ]);
    }
    expect(await rows("a,b\r\n1,x\n2,y\r\n", ab)).toHaveLength(2);
  });
  test("a blank line is a record only where there is one column", async () => {
    expect(await rows("a\nx\n\ny\n", { columns: { a: "text" } })).toEqual([["x"], [""], ["y"]]);
    const seen = await read("a,b\n\n1,x\n\n\n2,y\n\n", ab);
    expect(seen).toMatchObject({ rows: 2, skipped: 4, records: 6 });
    const last = await read("a,b\n1,x\n\n2,y\n\n", { ...ab, skip: { last: 1 } });
    expect(last).toMatchObject({ rows: 1, skipped: 3, records: 4 });
  });
  test("a plain file is read where it lies, and only others carry line numbers", async () => {
    expect((await read("a,b\n1,x\n", ab)).relation.files[0]?.first_line).toBe(2);
    expect((await read("a,b\n1,x\n\n2,y\n", ab)).relation.files[0]?.first_line).toBeNull();
  });
  test("an undeclared column is refused, or ignored where that is declared", async () => {
    const file = "a,x,b,\n1,?,2,\n";
    await expect(read(file, ab)).rejects.toThrow(/undeclared column x; undeclared column number 4/);
    expect(await rows(file, { ...ab, extra_columns: "ignore" })).toEqual([["1", "2"]]);
  });
  test("header: names the source's column", async () => {
    const columns = { amount: { type: "decimal(18,2)", header: "Amount, Summed" } };
    expect(await rows('"Amount, Summed"\n1.5\n', { columns })).toEqual([["1.50"]]);
  });
  test("preamble lines, totals and footers are skipped and counted", async () => {
    const file = 'Report "x\n\na,b\n1,x\n"Total, all",9,9\n2,y\nprinted\n';
    const skip = { first: 2, last: 1, starting_with: ["Total"] };
    const seen = await read(file, { ...ab, skip });
    expect(seen).toMatchObject({ rows: 2, rejected: 0, skipped: 4, records: 6 });
    expect(seen.table.map((r) => r.at(-1))).toEqual(["4", "6"]);
  });
});
