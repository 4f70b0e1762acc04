import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isVisible, plain, visible } from "../../src/model/visible.js";

const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("\\", "u", "{", "}", "2", "e", "\u202e", "\u0000", "a") }),
);

describe("a text that is shown", () => {
  test("stands for exactly one text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(plain(visible(text))).toBe(text);
        expect(isVisible(visible(text))).toBe(true);
      }),
    );
  });

  test.each([
    ["a right-to-left override", "\u202e", "\\u{202e}"],
    ["an isolate", "\u2066", "\\u{2066}"],
    ["an escape", "\u001b[0m", "\\u{1b}[0m"],
    ["a carriage return", "a\rb", "a\\u{d}b"],
    ["a C1 control", "\u0085", "\\u{85}"],
    ["a zero-width space", "\u200b", "\\u{200b}"],
    ["a tag character", "\u{e0041}", "\\u{e0041}"],
    ["a hidden variation selector", "\u{e0101}", "\\u{e0101}"],
    ["a line separator", "\u2028", "\\u{2028}"],
    ["a byte order mark", "\ufeff", "\\u{feff}"],
  ])("escapes %s", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(isVisible(text)).toBe(false);
  });

  test("escapes a text that reads like an escape", () => {
    expect(visible("\\u{202e}")).toBe("\\u{5c}u{202e}");
  });

  test.each(["a\tb\nc", "C:\\users\\x", "金額 é 👍", "\\"])("leaves %j as it is", (text) => {
    expect(visible(text)).toBe(text);
  });

  test("keeps an escape that names no character", () => {
    expect(plain("\\u{110000}")).toBe("\\u{110000}");
  });
});
