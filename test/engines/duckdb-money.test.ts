import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import type { Engine } from "../../src/engines/engine.js";
import { type Decimal, decimalText } from "../../src/model/decimal.js";

const dir = mkdtempSync(`${tmpdir()}/tieout-money-`);
let engine: Engine;
beforeAll(async () => {
  engine = await duckdbInline({ temp: dir, threads: 1 });
});
afterAll(async () => {
  await engine.close();
  rmSync(dir, { recursive: true, force: true });
});

const ask = async (expressions: readonly string[]) =>
  engine.ask({
    sql: `SELECT ${expressions.map((e, i) => `${e} AS c${i}`).join(", ")}`,
    params: [],
    relations: [],
    limit: 1,
  });

/** a / b at `scale`, half to even, on whole numbers alone. */
function quotient(a: Decimal, b: Decimal, scale: number): string {
  const n = a.units * 10n ** BigInt(b.scale + scale);
  const d = b.units * 10n ** BigInt(a.scale);
  const abs = (x: bigint) => (x < 0n ? -x : x);
  let q = abs(n) / abs(d);
  const twice = 2n * (abs(n) % abs(d));
  if (twice > abs(d) || (twice === abs(d) && q % 2n === 1n)) q += 1n;
  return decimalText({ units: n < 0n === d < 0n ? q : -q, scale });
}

const decimal = (digits: number) =>
  fc
    .tuple(fc.bigInt(-(10n ** BigInt(digits)) + 1n, 10n ** BigInt(digits) - 1n), fc.nat(4))
    .map(([units, scale]) => ({ units, scale }));
const literal = (d: Decimal) => `CAST('${decimalText(d)}' AS DECIMAL(28,${d.scale}))`;

describe("money_div(a, b, scale)", () => {
  test("is the exact quotient rounded half to even, for every sign, size and scale", async () => {
    const halves = fc
      .tuple(fc.bigInt(-9_999n, 9_999n), fc.constantFrom(2n, 4n, 8n, 20n, 200n, -2n, -8n))
      .map(
        ([a, b]) =>
          [
            { units: a, scale: 2 },
            { units: b, scale: 0 },
          ] as const,
      );
    const pair = fc.oneof(
      halves,
      fc.tuple(
        decimal(16),
        decimal(12).filter((d) => d.units !== 0n),
      ),
    );
    const cases = fc.array(fc.tuple(pair, fc.nat(4)), { minLength: 40, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(cases, async (list) => {
        const { rows } = await ask(
          list.map(([[a, b], s]) => `money_div(${literal(a)}, ${literal(b)}, ${s})`),
        );
        expect(rows[0]).toEqual(list.map(([[a, b], s]) => quotient(a, b, s)));
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  test("its scale is the one asked for, up to 10", async () => {
    const scales = Array.from({ length: 11 }, (_, s) => s);
    const { columns, rows } = await ask(scales.map((s) => `money_div(2.00, 3, ${s})`));
    expect(columns.map((c) => c.type)).toEqual(scales.map((s) => `decimal(28,${s})`));
    expect(rows[0]).toEqual(scales.map((s) => (s === 0 ? "1" : `0.${"6".repeat(s - 1)}7`)));
  });

  test("no value gives no value", async () => {
    const { rows } = await ask(["money_div(NULL, 2, 2)", "money_div(2.00, nullif(0, 0), 2)"]);
    expect(rows).toEqual([[null, null]]);
  });

  test("zero, an overflow and more than 10 decimals are errors", async () => {
    await expect(ask(["money_div(1.00, 0, 2)"])).rejects.toMatchObject({
      code: "SQL",
      remedy: expect.stringContaining("nullif(b, 0)"),
    });
    await expect(ask(["money_div(9999999999999999.99, 0.0000000001, 10)"])).rejects.toMatchObject({
      code: "SQL",
    });
    await expect(
      ask(["money_div(CAST('0.00000000001' AS DECIMAL(12,11)), 1, 2)"]),
    ).rejects.toMatchObject({
      code: "SQL",
      remedy: expect.stringContaining("10 decimals"),
    });
  });
});
