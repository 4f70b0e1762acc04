import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalJson,
  documentText,
  fingerprint,
  sha256Of,
  textBody,
} from "../../src/model/canonical.js";

const { value: documents } = fc.letrec((again) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.string({ unit: "binary" }),
    fc.array(again("value"), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: "binary" }), again("value"), { maxKeys: 4 }),
  ),
}));

describe("canonical JSON", () => {
  test("reads back as the value, and the value gives the same text again", () => {
    fc.assert(
      fc.property(documents, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("the order in which keys were set never shows", () => {
    const entries = fc.uniqueArray(fc.tuple(fc.string({ unit: "binary" }), fc.integer()), {
      selector: ([key]) => key,
    });
    fc.assert(
      fc.property(entries, (pairs) => {
        const turned = Object.fromEntries([...pairs].reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(Object.fromEntries(pairs)));
        expect(fingerprint(turned)).toBe(fingerprint(Object.fromEntries(pairs)));
      }),
    );
  });

  test("keys sort by UTF-16 code unit, so a number-like key and an emoji have one place", () => {
    expect(canonicalJson({ 10: 1, 9: 2, b: 3, "\u{1f600}": 4, "\uffff": 5, B: 6 })).toBe(
      '{"10":1,"9":2,"B":6,"b":3,"\u{1f600}":4,"\uffff":5}',
    );
  });

  test("an absent field and an undefined one are the same document", () => {
    expect(canonicalJson({ a: 1, b: undefined })).toBe(canonicalJson({ a: 1 }));
    expect(canonicalJson([undefined, 1])).toBe("[null,1]");
  });

  test("two texts that look alike stay two values", () => {
    expect(canonicalJson("é")).not.toBe(canonicalJson("e\u0301"));
    expect(canonicalJson("\ud800")).toBe('"\\ud800"');
  });

  test.each([0.1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -1e21])(
    "%d is no number of a document: decimals are text (I009)",
    (number) => {
      expect(() => canonicalJson({ amount: number })).toThrow("write decimals as text");
    },
  );

  test.each([
    ["a big integer", 1n],
    ["a date", new Date(0)],
    ["a map", new Map([["a", 1]])],
    ["bytes", new Uint8Array(2)],
    ["a function", () => 1],
  ])("%s is refused, never written as something less", (_, value) => {
    expect(() => canonicalJson({ value })).toThrow("a document cannot hold");
  });
});

describe("hashes", () => {
  test("a text's hash is that of its UTF-8 bytes", () => {
    const hash = createHash("sha256").update(Buffer.from("é\n", "utf8")).digest("hex");
    expect(sha256Of("é\n")).toBe(hash);
    expect(sha256Of(new TextEncoder().encode("é\n"))).toBe(hash);
  });

  test("a small text as a body can be read twice and is what its hash says", async () => {
    const body = textBody('{"a":"é"}\n');
    for (const _ of [1, 2]) {
      const parts: Uint8Array[] = [];
      for await (const part of body.open()) parts.push(part);
      expect(sha256Of(Buffer.concat(parts))).toBe(body.sha256);
      expect(Buffer.concat(parts).byteLength).toBe(body.size_bytes);
    }
  });

  test("a document for people keeps the order given and ends its last line", () => {
    expect(documentText({ b: 1, a: [2] })).toBe('{\n  "b": 1,\n  "a": [\n    2\n  ]\n}\n');
  });
});
