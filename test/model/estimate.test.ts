import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { estimateTokens, tokenTenths } from "../../src/model/estimate.js";

/** At most 2,000 characters each: the exact counter is quadratic. */
const lines = (line: (i: number) => string): string =>
  Array.from({ length: 100 }, (_, i) => line(i))
    .join("\n")
    .slice(0, 2000);

const FIXTURES: readonly [string, string][] = [
  [
    "ledger CSV",
    lines((i) => `R-${100200 + i},S${i * 37},2026-08-${10 + (i % 20)},-${i * 13}.${10 + i},USD`),
  ],
  [
    "rows as JSON",
    JSON.stringify(
      Array.from({ length: 40 }, (_, i) => [`${i}`, `seller ${i * 7}`, `${i}.50`, null]),
    ),
  ],
  [
    "clipped cells",
    JSON.stringify(
      Array.from({ length: 30 }, (_, i) => ({ clipped: "abc".repeat(i), chars: i * 991 })),
    ).slice(0, 2000),
  ],
  ["UUIDs", lines(() => randomUUID())],
  ["base64", randomBytes(1400).toString("base64")],
  ["hexadecimal", randomBytes(900).toString("hex")],
  [
    "English",
    lines(() => "The opening balance and the entries of the month make the closing balance."),
  ],
  ["CJK", "返金明細と売掛金元帳を照合し、差異の理由を記録する。".repeat(40).slice(0, 1000)],
  ["emoji", "👍🏽👩‍👩‍👧‍👦🇫🇷".repeat(40).slice(0, 900)],
  ["Arabic and Hebrew", "دفتر الأستاذ يومية ספר חשבונות ".repeat(40).slice(0, 1000)],
  ["accents", "Überweisung für Café Zürich – naïve façade ".repeat(40).slice(0, 1500)],
  ["punctuation", "!@#$%^&*()_+-=[]{};':\",./<>?`~|".repeat(50).slice(0, 1500)],
  ["escapes", '\\u{202e}\\u{1b}[0m\\\\\\"'.repeat(60).slice(0, 1500)],
  ["runs", `${"x".repeat(500)}${" ".repeat(500)}${"0".repeat(500)}`],
];

describe("the estimate of tokens", () => {
  test.each(FIXTURES)("is never below the exact count of %s", (_, text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(encode(text).length);
  });

  test("is never below the exact count of any printable text", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 200, maxLength: 400 }), (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(encode(text).length);
      }),
      { numRuns: 50 },
    );
  });

  test("of a whole is the sum of its parts, in tenths", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
        expect(tokenTenths(a + b)).toBe(tokenTenths(a) + tokenTenths(b));
      }),
    );
  });

  test("is never above the bytes, so that a cap on bytes bounds what it may say", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(estimateTokens(text)).toBeLessThanOrEqual(Buffer.byteLength(text));
      }),
    );
  });

  test("of the empty text is 0", () => {
    expect(estimateTokens("")).toBe(0);
  });
});
