import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CODES, EXIT, isTieout, nearest, TieoutError } from "../../src/model/errors.js";

const codes = Object.keys(CODES).filter((c): c is keyof typeof CODES => c in CODES);

describe("codes and exits", () => {
  test("every code ends the process with one of the documented numbers", () => {
    const documented = new Set<number>(Object.values(EXIT));
    for (const code of codes) {
      const error = new TieoutError(code, { subject: "s", cause: "c", remedy: "r" });
      expect(documented).toContain(error.exit);
      expect(error.exit).not.toBe(EXIT.OK);
    }
  });

  test("the documented numbers are those that schedulers were promised, each once", () => {
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 130, 143];
    expect(Object.values(EXIT).sort((a, b) => a - b)).toEqual(numbers);
  });

  test("an answer to a machine has code, subject, message and remedy, and no stack", () => {
    const at = { line: 3 };
    const told = { subject: "job.yaml:3", cause: "it is not", remedy: "write it", at };
    const error = new TieoutError("JOB_INVALID", { ...told, because: new Error("inner") });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: "JOB_INVALID",
      subject: "job.yaml:3",
      message: "it is not",
      remedy: "write it",
      at: { line: 3 },
    });
    expect(error.cause).toBeInstanceOf(Error);
  });

  test("an error is told apart by its code, a bug is none", () => {
    const error = new TieoutError("DISK", { subject: "s", cause: "c", remedy: "r" });
    expect([isTieout(error), isTieout(error, "DISK"), isTieout(error, "DISK_FULL")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(isTieout(new Error("bug"))).toBe(false);
    expect("at" in error.toJSON()).toBe(false);
  });
});

describe("the nearest word", () => {
  const words = ["refunds", "ledger", "discrepancies", "previous.discrepancies"];

  test.each([
    ["refund", "refunds"],
    ["Refunds", "refunds"],
    ["ledgre", "ledger"],
    ["discrepencies", "discrepancies"],
    ["previous.discrepancy", "previous.discrepancies"],
  ])("%s was meant as %s", (written, meant) => {
    expect(nearest(written, words)).toBe(meant);
  });

  test.each(["", "zzz", "invoices", "a"])("%j is near to nothing", (written) => {
    expect(nearest(written, words)).toBeNull();
  });

  test("a word of the list is nearest to itself", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,12}$/), { minLength: 1 }), (list) => {
        for (const word of list) expect(nearest(word, list)).toBe(word);
      }),
    );
  });

  test("what is offered is a word of the list, whatever was written", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (written, list) => {
        const offered = nearest(written, list);
        if (offered !== null) expect(list).toContain(offered);
      }),
    );
  });

  test("one slip in a word of three letters or more is understood", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,12}$/), fc.nat(), (word, n) => {
        const at = n % word.length;
        expect(nearest(word.slice(0, at) + word.slice(at + 1), [word])).toBe(word);
      }),
    );
  });
});
