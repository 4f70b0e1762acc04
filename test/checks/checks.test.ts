import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Relation } from "../../src/model/relation.js";
import { type Laboratory, laboratory, type Rows } from "./laboratory.js";

let lab: Laboratory;
beforeAll(async () => {
  lab = await laboratory();
});
afterAll(() => lab.close());

const COLUMNS = { id: "text", amount: "money(USD)", n: "integer", day: "date", ok: "boolean" };
const row = (...cells: (string | null)[]): (string | null)[] =>
  [...cells, ...Array(5).fill(null)].slice(0, 5);
const t = (rows: Rows): Promise<Relation> => lab.relation("t", COLUMNS, rows);
const says = async (spec: unknown, rows: Rows): Promise<string | null> =>
  (await lab.check(spec, await t(rows))).fault?.message ?? null;

describe("unique", () => {
  it("passes when no two rows agree in all columns, and over no rows", async () => {
    expect(await says({ unique: ["id"] }, [])).toBeNull();
    expect(
      await says({ unique: ["id", "n"] }, [row("a", null, "1"), row("a", null, "2")]),
    ).toBeNull();
    expect(await says({ unique: ["id"] }, [row("a"), row("A"), row("a "), row("")])).toBeNull();
  });

  it("counts every row that shares its key, nulls among them, and lists each in full", async () => {
    const made = await t([
      row("b", "2.00"),
      row(null),
      row("a"),
      row("b", "1.00"),
      row(null, "5.00"),
    ]);
    const { fault, failing } = await lab.check({ unique: ["id"] }, made);
    expect(fault).toEqual({ message: "4 rows share 2 values of id", rows: 4 });
    expect(failing.map((r) => r.slice(0, 2))).toEqual([
      ["b", "1.00"],
      ["b", "2.00"],
      [null, "5.00"],
      [null, null],
    ]);
  });
});

describe("not_null", () => {
  it("takes an empty text for a value, and passes over no rows", async () => {
    expect(await says({ not_null: ["id"] }, [row("")])).toBeNull();
    expect(await says({ not_null: ["id", "amount"] }, [])).toBeNull();
  });

  it("counts rows once and columns each", async () => {
    const rows = [row(null, null), row("a", null), row("b", "1.00")];
    expect(await says({ not_null: ["id", "amount", "id"] }, rows)).toBe(
      "2 rows without a value in id (1), amount (2), id (1)",
    );
  });
});

describe("values", () => {
  it("compares typed, exactly, and lets a null pass", async () => {
    const rows = [row("a", "1.50", "7", "2026-08-10", "true"), row(null)];
    expect(await says({ values: { column: "amount", in: ["1.5"] } }, rows)).toBeNull();
    expect(await says({ values: { column: "n", in: [7] } }, rows)).toBeNull();
    expect(await says({ values: { column: "day", in: ["2026-08-10"] } }, rows)).toBeNull();
    expect(await says({ values: { column: "ok", in: [true] } }, rows)).toBeNull();
    expect(await says({ values: { column: "id", in: ["a"] } }, rows)).toBeNull();
  });

  it("counts rows outside the list, whose text is data and never SQL", async () => {
    const rows = [row("o'b"), row("x"), row("O'B")];
    expect(await says({ values: { column: "id", in: ["o'b", "') OR (1=1"] } }, rows)).toBe(
      "2 rows where id is none of the 2 allowed",
    );
  });
});

describe("range", () => {
  it("has both ends inside, and lets a null pass", async () => {
    const rows = [row("a", "0.01"), row("b", "10.00"), row("c", null)];
    expect(await says({ range: { column: "amount", min: "0.01", max: 10 } }, rows)).toBeNull();
    expect(await says({ range: { column: "amount", min: 0 } }, [])).toBeNull();
  });

  it("counts both sides", async () => {
    const rows = [row("a", "0.00"), row("b", "10.01"), row("c", "5.00")];
    expect(await says({ range: { column: "amount", min: "0.01", max: "10" } }, rows)).toBe(
      "2 rows where amount is out of range: 1 below its min, 1 above its max",
    );
    expect(
      await says({ range: { column: "day", min: "2026-01-01" } }, [
        row("a", null, null, "2025-12-31"),
      ]),
    ).toContain("1 row where day");
  });

  it("orders text by its bytes", async () => {
    const rows = [row("Z"), row("a"), row("é"), row("😀"), row("\uffee")];
    expect(await says({ range: { column: "id", min: "a" } }, rows)).toContain("1 row where");
    expect(await says({ range: { column: "id", max: "\uffff" } }, rows)).toContain("1 row where");
  });
});

describe("rows", () => {
  it("has both ends inside", async () => {
    expect(await says({ rows: { min: 0, max: 0 } }, [])).toBeNull();
    expect(await says({ rows: { min: 1, max: 2 } }, [row("a"), row("b")])).toBeNull();
  });

  it("says how many there are and how many were expected", async () => {
    expect(await says({ rows: { min: 2 } }, [row("a")])).toBe(
      "it has 1 row; at least 2 were expected",
    );
    expect(await says({ rows: { max: 1 } }, [row("a"), row("b")])).toBe(
      "it has 2 rows; at most 1 were expected",
    );
  });

  it("equals the one number of a SELECT over the run's relations", async () => {
    const made = await t([row("a"), row("b")]);
    const others = [await lab.relation("u", { k: "text" }, [["x"], ["y"]])];
    const equal = { rows: { equals: "SELECT count(*) FROM u" } };
    expect((await lab.check(equal, made, { others })).fault).toBeNull();
    const more = { rows: { equals: "SELECT count(*) + 1 FROM u" } };
    expect((await lab.check(more, made, { others })).fault?.message).toBe(
      "it has 2 rows; 3 was expected, so it is off by -1",
    );
  });

  it("refuses a SELECT that gives more than one column, no number, or not one row", async () => {
    const made = await t([row("a"), row("b")]);
    const with_ = (equals: string) => lab.check({ rows: { equals } }, made);
    expect((await with_("SELECT 2;\n")).fault).toBeNull();
    expect((await with_("SELECT 2 -- two")).fault).toBeNull();
    await expect(with_("SELECT id, n FROM t")).rejects.toThrow("one number");
    await expect(with_("SELECT max(id) FROM t")).rejects.toThrow("not of text");
    expect((await with_("SELECT n FROM t")).fault?.message).toContain(
      "gave 2 rows where one number",
    );
    expect((await with_("SELECT n FROM t WHERE id = 'z'")).fault?.message).toContain("gave 0 rows");
    expect((await with_("SELECT max(n) FROM t")).fault?.message).toContain("gave no value");
  });
});

describe("control_total", () => {
  const total = (equals: string) => ({ control_total: { column: "amount", equals } });

  it("is the same number whatever the scale", async () => {
    const made = await t([row("a", "0.10"), row("b", "0.20"), row("c", null)]);
    expect((await lab.check(total("SELECT CAST(0.3 AS DECIMAL(10,4))"), made)).fault).toBeNull();
    expect((await lab.check(total("SELECT CAST(0.3001 AS DECIMAL(10,4))"), made)).fault).toEqual({
      message: "the total of amount is 0.30; 0.3001 was expected, so it is off by -0.0001",
      rows: 0,
    });
  });

  it("holds sums that no double and no 18 digits hold", async () => {
    const most = "9999999999999999.99";
    const made = await t([row("a", most), row("b", most), row("c", "0.03")]);
    expect(
      (await lab.check(total("SELECT CAST('20000000000000000.01' AS DECIMAL(28,2))"), made)).fault,
    ).toBeNull();
    expect(
      (await lab.check(total("SELECT CAST('20000000000000000.02' AS DECIMAL(28,2))"), made)).fault,
    ).not.toBeNull();
  });

  it("takes a sum over nothing for 0, but no missing expected number for one", async () => {
    const other = [await lab.relation("u", { amount: "money(USD)" }, [])];
    const sum = total("SELECT sum(amount) FROM u");
    expect((await lab.check(total("SELECT 0"), await t([]))).fault).toBeNull();
    expect((await lab.check(sum, await t([row("a", null)]), { others: other })).fault).toBeNull();
    const fault = (await lab.check(sum, await t([row("a", "0.00")]), { others: other })).fault;
    expect(fault?.message).toContain("gave no value");
  });
});

describe("sql", () => {
  it("passes when the SELECT gives no row, else every row is a failing one", async () => {
    const made = await t([row("b", "0.00"), row("a", "0.00"), row("c", "1.00")]);
    const sql = { "checks/no_zero.sql": "SELECT id, amount FROM t WHERE amount = 0" };
    const spec = { sql: "checks/no_zero.sql" };
    const { fault, failing } = await lab.check(spec, made, { sql });
    expect(fault).toEqual({ message: "checks/no_zero.sql gave 2 rows", rows: 2 });
    expect(failing).toEqual([
      ["a", "0.00"],
      ["b", "0.00"],
    ]);
    const none = { "checks/no_zero.sql": "SELECT id FROM t WHERE amount < 0" };
    expect((await lab.check(spec, made, { sql: none })).fault).toBeNull();
  });
});
