import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Column } from "../../src/model/columns.js";
import { figureOf, figureQuestion } from "../../src/model/figure.js";
import { RelationName } from "../../src/model/ids.js";
import { FigureSpec, orderOf } from "../../src/model/job.js";
import type { Figure } from "../../src/model/manifest.js";
import { type Laboratory, laboratory, type Rows } from "../checks/laboratory.js";

let lab: Laboratory;
beforeAll(async () => {
  lab = await laboratory();
});
afterAll(() => lab.close());

const COLUMNS = {
  seller: "text",
  delta: "money(USD)",
  amount: "money(by currency)",
  currency: "text",
  rate: "decimal(8,2)",
  n: "integer",
  day: "date",
};
const columns = Object.entries(COLUMNS).map(([name, type]) => Column.parse({ name, type }));
const ROWS: Rows = [
  ["b", "-10.00", "1.5000", "USD", "0.10", "1", "2026-08-10"],
  ["a", "2.00", "2.2500", "USD", "0.20", "2", "2025-01-01"],
  ["c", null, "700.0000", "JPY", "0.20", null, null],
  ["d", "9.50", null, "EUR", null, null, null],
];

async function figure(written: object, rows: Rows = ROWS): Promise<Figure> {
  const spec = FigureSpec.parse({ artefact: "t.csv", ...written });
  const t = await lab.relation("t", COLUMNS, rows);
  const subject = {
    relation: RelationName.parse("t"),
    columns,
    order_by: ["-abs(delta)", "seller"].map(orderOf),
  };
  const { sql, limit } = figureQuestion(spec, subject, lab.engine.dialect);
  const answer = await lab.engine.ask({ sql, params: [], relations: [t], limit });
  return figureOf("f", spec, columns, answer.rows);
}
const value = async (written: object, rows?: Rows) => (await figure(written, rows)).value;

describe("a figure", () => {
  it("counts rows, values, nulls and different values, without a unit", async () => {
    expect(await figure({ aggregate: "count" })).toMatchObject({
      value: "4",
      unit: null,
      column: null,
    });
    expect(await figure({ aggregate: "count", column: "delta" })).toMatchObject({
      value: "3",
      unit: null,
    });
    expect(await value({ aggregate: "count_null", column: "delta" })).toBe("1");
    expect(await value({ aggregate: "count_distinct", column: "rate" })).toBe("2");
  });

  it("of money is exact, with its currency's decimals and its unit", async () => {
    expect(await figure({ aggregate: "sum", column: "delta" })).toMatchObject({
      value: "1.50",
      unit: "USD",
    });
    expect(await figure({ aggregate: "min", column: "delta" })).toMatchObject({
      value: "-10.00",
      unit: "USD",
    });
    const most: Rows = Array.from({ length: 3 }, () => ["x", "9999999999999999.99"]);
    expect(await value({ aggregate: "sum", column: "delta" }, most)).toBe("29999999999999999.97");
  });

  it("of money in several currencies is one amount for each, never their sum", async () => {
    const sum = await figure({ aggregate: "sum", column: "amount" });
    expect(sum).toMatchObject({
      value: null,
      unit: null,
      by_currency: { JPY: "700", USD: "3.75" },
    });
    expect(Object.keys(sum.by_currency ?? {})).toEqual(["JPY", "USD"]);
    const max = await figure({ aggregate: "max", column: "amount" });
    expect(max.by_currency).toEqual({ JPY: "700", USD: "2.25" });
    expect(await value({ aggregate: "count", column: "amount" })).toBe("3");
  });

  it("over no rows is null and not zero; a count is zero", async () => {
    for (const aggregate of ["sum", "min", "max"])
      expect(await figure({ aggregate, column: "delta" }, [])).toMatchObject({
        value: null,
        unit: "USD",
      });
    expect(await value({ aggregate: "avg", column: "rate" }, [])).toBeNull();
    expect(await value({ aggregate: "count" }, [])).toBe("0");
    expect(await figure({ aggregate: "sum", column: "amount" }, [])).toMatchObject({
      by_currency: {},
    });
    expect(await figure({ top: 2 }, [])).toMatchObject({ rows: [], value: null });
  });

  it("avg is exact to four decimals beyond the column's, half to even", async () => {
    expect(await value({ aggregate: "avg", column: "rate" })).toBe("0.166667");
    expect(await value({ aggregate: "avg", column: "n" })).toBe("1.5000");
  });

  it("min and max are canonical text, text by its bytes", async () => {
    expect(await value({ aggregate: "max", column: "day" })).toBe("2026-08-10");
    expect(await value({ aggregate: "min", column: "seller" }, [["é"], ["a"], ["Z"]])).toBe("Z");
  });

  it("top is the first rows of the artefact's order by value, not by text", async () => {
    const top = await figure({ top: 3, columns: ["delta", "seller"] });
    expect(top.rows).toEqual([
      { delta: "-10.00", seller: "b" },
      { delta: "9.50", seller: "d" },
      { delta: "2.00", seller: "a" },
    ]);
    expect((await figure({ top: 20 })).rows).toHaveLength(4);
    expect(Object.keys((await figure({ top: 1 })).rows?.[0] ?? {})).toEqual(Object.keys(COLUMNS));
  });
});
