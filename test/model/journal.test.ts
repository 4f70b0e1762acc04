import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256Of } from "../../src/model/canonical.js";
import { GENESIS, journalLine, readJournal } from "../../src/model/journal.js";

const events = fc.array(
  fc.record({
    event: fc.constantFrom("claim", "pin", "compute"),
    record: fc.dictionary(fc.string({ unit: "grapheme" }), fc.integer(), { maxKeys: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** A journal as `append` writes it. */
function journalOf(all: readonly { event: string; record: unknown }[]): string {
  let head = GENESIS;
  return all
    .map(({ event, record }, i) => {
      const at = "2026-08-10T06:41:12.000Z";
      const text = journalLine({ seq: i + 1, prev: head, at, event, record });
      head = sha256Of(text);
      return `${text}\n`;
    })
    .join("");
}

describe("an attempt's journal (I017)", () => {
  test("what was appended is read back whole, and its head hashes the last line", () => {
    fc.assert(
      fc.property(events, (all) => {
        const text = journalOf(all);
        const { lines, head, torn, damage } = readJournal(text);
        expect(lines.map(({ event, record }) => ({ event, record }))).toEqual(all);
        expect(head).toBe(sha256Of(text.split("\n").at(-2) ?? ""));
        expect({ torn, damage }).toEqual({ torn: false, damage: null });
      }),
    );
  });

  test("a torn last line is tolerated: the whole lines before it stand", () => {
    fc.assert(
      fc.property(events, fc.nat(), (all, n) => {
        const text = journalOf(all);
        const whole = journalOf(all.slice(0, -1));
        const before = readJournal(whole);
        const cut = whole.length + 1 + (n % (text.length - whole.length - 1));
        expect(readJournal(text.slice(0, cut))).toEqual({ ...before, torn: true });
      }),
    );
  });

  test("any changed character of a whole line is damage, or another head than the manifest holds", () => {
    fc.assert(
      fc.property(events, fc.nat(), fc.string({ unit: "binary", minLength: 1 }), (all, n, put) => {
        const text = journalOf(all);
        const at = n % text.length;
        const changed = text.slice(0, at) + put + text.slice(at + 1);
        fc.pre(changed !== text);
        const now = readJournal(changed);
        expect(now.damage !== null || now.head !== readJournal(text).head).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("a change before the last line is always damage, and names a line at or after it", () => {
    fc.assert(
      fc.property(events, fc.nat(), (all, n) => {
        fc.pre(all.length > 1);
        const text = journalOf(all);
        const at = n % journalOf(all.slice(0, -1)).length;
        const put = text[at] === "0" ? "1" : "0";
        const { damage } = readJournal(text.slice(0, at) + put + text.slice(at + 1));
        const line = text.slice(0, at).split("\n").length;
        expect([line, line + 1]).toContain(damage?.line);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["a line taken out", (l: string[]) => l.toSpliced(1, 1), 2],
    ["a line put in twice", (l: string[]) => l.toSpliced(1, 0, l[1] ?? ""), 3],
    ["two lines in the other order", (l: string[]) => [l[1] ?? "", l[0] ?? "", l[2] ?? ""], 1],
    ["an empty line", (l: string[]) => l.toSpliced(1, 0, ""), 2],
    ["white space that JSON would forgive", (l: string[]) => [` ${l[0]}`, ...l.slice(1)], 1],
    ["a start that is not the first line", (l: string[]) => l.slice(1), 1],
  ])("%s is damage", (_, change, line) => {
    const all = ["claim", "pin", "compute"].map((event) => ({ event, record: {} }));
    const lines = journalOf(all).trimEnd().split("\n");
    expect(readJournal(`${change(lines).join("\n")}\n`).damage?.line).toBe(line);
  });

  test("a chain whose numbers skip one is damage although each line follows the one before", () => {
    const at = "2026-08-10T06:41:12.000Z";
    const first = journalLine({ seq: 1, prev: GENESIS, at, event: "claim", record: {} });
    const third = journalLine({ seq: 3, prev: sha256Of(first), at, event: "pin", record: {} });
    const { damage } = readJournal(`${first}\n${third}\n`);
    expect(damage).toEqual({ line: 2, cause: "has the wrong number" });
  });

  test("no text at all is a journal without lines", () => {
    expect(readJournal("")).toEqual({ lines: [], head: GENESIS, torn: false, damage: null });
  });
});
