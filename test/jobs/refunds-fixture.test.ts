import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { feeOf, keepBooks } from "../../fixtures/refunds/books.js";
import { filesOf } from "../../fixtures/refunds/exports.js";

const files = filesOf(keepBooks());
const lines = (name: string): string[] => (files.get(name) ?? "").trimEnd().split("\n").slice(1);

/** The text amount in integer cents. */
const cents = (amount: string): number => Number(amount.replace(".", ""));
const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0);

describe("the refunds case", () => {
  test("the committed files are what the generator writes, byte for byte", () => {
    expect(files.size).toBe(10);
    for (const [name, text] of files) {
      const committed = readFileSync(new URL(`../../fixtures/refunds/${name}`, import.meta.url));
      expect(committed.equals(Buffer.from(text)), name).toBe(true);
    }
  });

  test("6,412 refund lines stand against 2,000 accounts", () => {
    expect(lines("2026-08-10/refunds.csv")).toHaveLength(6_412);
    expect(lines("2026-08-10/ledger.csv")).toHaveLength(2_000);
  });

  test("23 sellers differ by 4,118.62 in sum, after 19 of the week before", () => {
    const deltas = lines("expected/2026-08-10/discrepancies.csv").map((l) => l.split(",")[4] ?? "");
    expect(deltas).toHaveLength(23);
    expect(sum(deltas.map(cents))).toBe(411_862);
    expect(lines("expected/2026-08-03/discrepancies.csv")).toHaveLength(19);
  });

  test("the first export is a part of the second, as a quarter to date is", () => {
    const second = new Set(lines("2026-08-10/refunds.csv"));
    expect(lines("2026-08-03/refunds.csv").filter((l) => !second.has(l))).toEqual([]);
  });

  test("every discrepancy of the week before is persistent or resolved, and nothing else is", () => {
    const before = lines("expected/2026-08-03/discrepancies.csv").map((l) => l.split(",")[0]);
    const carried = lines("expected/2026-08-10/seller_summary.csv")
      .map((l) => l.split(","))
      .filter((c) => c.at(-1) === "persistent" || c.at(-1) === "resolved")
      .map((c) => c[0]);
    expect(carried.sort()).toEqual(before.sort());
  });

  test("the case can tell rounding half to even from half up", () => {
    expect(feeOf({ cents: 20, reason: "changed_mind" })).toBe(0);
    expect(feeOf({ cents: 60, reason: "changed_mind" })).toBe(2);
    expect(feeOf({ cents: -60, reason: "changed_mind" })).toBe(-2);
    const { refunds } = keepBooks();
    const tied = refunds.filter(
      ({ cents: c, reason }) => reason === "changed_mind" && c % 80 === 20,
    );
    expect(tied.length).toBeGreaterThan(10);
  });
});
