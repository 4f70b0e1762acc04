import fc from "fast-check";
import { expect, test } from "vitest";
import { uuidOf } from "../../src/model/uuid.js";

test("a name's UUID is the one that every implementation of version 5 gives", () => {
  expect(uuidOf("http://python.org/")).toBe("4c565f0d-3f5a-5890-b41b-20cf47701c5e");
});

test("every UUID is of version 5 and of the standard's variant, and names do not share one", () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(uuidOf(a)).toMatch(form);
      expect(uuidOf(a) === uuidOf(b)).toBe(a === b);
    }),
  );
});
