import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTree, printTree } from "../../src/engines/duckdb-json.js";

test("every JSON text without a NUL is printed again as it was", () => {
  const value = fc.jsonValue().filter((v) => !JSON.stringify(v).includes("\\u0000"));
  fc.assert(
    fc.property(value, (v) => {
      expect(printTree(parseTree(JSON.stringify(v)))).toBe(JSON.stringify(v));
    }),
  );
});

test("digits that a double cannot hold survive, in an amount as in a text that looks like one", () => {
  const text =
    '{"a":18446744073709551615,"b":[-9007199254740993,1.10,1e400],"c":"x,9007199254740993,y"}';
  expect(printTree(parseTree(text))).toBe(text);
  fc.assert(
    fc.property(fc.bigInt(), fc.string(), (n, s) => {
      const both = `[${n},${JSON.stringify(s)}]`;
      fc.pre(!both.includes("\\u0000"));
      expect(printTree(parseTree(both))).toBe(both);
    }),
  );
});
