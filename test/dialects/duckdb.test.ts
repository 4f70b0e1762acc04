import { describe, expect, test } from "vitest";
import { duckdbDialect as duckdb } from "../../src/dialects/duckdb.js";
import { type ColumnType, typeOf } from "../../src/model/columns.js";

describe("names and texts", () => {
  test("a quote within is doubled, so that neither can end before its end", () => {
    expect(duckdb.id('a"b')).toBe('"a""b"');
    expect(duckdb.text("it's; --")).toBe("'it''s; --'");
  });
  test("a relation of the previous run is two names", () => {
    expect(duckdb.from("previous.refunds")).toBe('"previous"."refunds"');
    expect(duckdb.from("refunds")).toBe('"refunds"');
  });
});

test.each([
  ["text", "VARCHAR"],
  ["integer", "BIGINT"],
  ["decimal(12,4)", "DECIMAL(12,4)"],
  ["money(USD)", "DECIMAL(18,2)"],
  ["money(JPY)", "DECIMAL(18,0)"],
  ["money(by currency)", "DECIMAL(22,4)"],
  ["date", "DATE"],
  ["timestamp(Europe/Paris)", "TIMESTAMP"],
  ["boolean", "BOOLEAN"],
])("%s is stored as %s, and a parameter is cast to it", (type, native) => {
  expect(duckdb.type(typeOf(type))).toBe(native);
  expect(duckdb.param(2, typeOf(type))).toBe(`CAST($2::VARCHAR AS ${native})`);
});

test("text is its own canonical text; what a type cannot say plainly is spelled out", () => {
  const text: ColumnType = { kind: "text" };
  expect(duckdb.canonical("x", text)).toBe("x");
  expect(duckdb.canonical("x", typeOf("money(USD)"))).toBe("CAST(x AS VARCHAR)");
  expect(duckdb.canonical("x", typeOf("timestamp"))).toContain("strftime");
});

describe("order", () => {
  const columns = [{ name: "k" }, { name: "delta" }, { name: "n" }];
  test("is made total by every column that is not declared, nulls last in both directions", () => {
    expect(duckdb.order([{ column: "n", abs: false, down: true }], columns)).toBe(
      '"n" DESC NULLS LAST, "k" ASC NULLS LAST, "delta" ASC NULLS LAST',
    );
    expect(duckdb.order([], columns)).toBe(
      '"k" ASC NULLS LAST, "delta" ASC NULLS LAST, "n" ASC NULLS LAST',
    );
  });
  test("by an absolute value is not yet an order of the value: its sign comes later", () => {
    expect(duckdb.order([{ column: "delta", abs: true, down: true }], columns)).toBe(
      'abs("delta") DESC NULLS LAST, "k" ASC NULLS LAST, "delta" ASC NULLS LAST, "n" ASC NULLS LAST',
    );
  });
});
