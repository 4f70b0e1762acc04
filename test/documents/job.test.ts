import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJob } from "../../src/documents/job.js";
import { mistakeText } from "../../src/model/mistake.js";
import { changed, EXAMPLE, examples } from "./example.js";
import { PLANTED } from "./planted.js";

const told = (text: string): string[] => parseJob(text, "job.yaml").mistakes.map(mistakeText);

test("every example that people are shown is a job without a mistake", () => {
  expect(examples().length).toBeGreaterThan(1);
  for (const text of examples()) {
    expect(told(text)).toEqual([]);
    expect(parseJob(text, "job.yaml").job).not.toBeNull();
  }
});

test("a name that cannot be declared is told once, where it is declared, with its uses counted", () => {
  for (const name of ["in", "manifest.json", "Discrepancies.csv"]) {
    const mistakes = told(EXAMPLE.replaceAll("discrepancies.csv", name));
    const uses = EXAMPLE.split("discrepancies.csv").length - 2;
    expect(mistakes).toEqual([expect.stringContaining(`nor in ${uses} other places`)]);
  }
});

describe("a mistake is told once, at its own line and column, with what was expected", () => {
  test.each(PLANTED)("$law", ({ from, to, says, expects, near }) => {
    const marked = changed(EXAMPLE, from, to);
    const text = marked.replace(/[«»]/g, "");
    const { job, mistakes } = parseJob(text, "job.yaml");
    expect(job).toBeNull();
    expect(mistakes.map(mistakeText)).toHaveLength(1);
    const [m] = mistakes;
    expect(m?.message).toContain(says);
    expect(m?.expected).toContain(expects);
    expect(m?.nearest ?? null).toBe(near);
    if (marked.includes("«")) {
      const before = marked.slice(0, marked.indexOf("«")).split("\n");
      expect([m?.line, m?.column]).toEqual([before.length, (before.at(-1)?.length ?? 0) + 1]);
    }
    expect(`${m?.message} ${m?.expected}`).not.toMatch(/Invalid|\\d|\[a-z|\^|undefined/);
  });

  const near = PLANTED.filter((p) => p.near !== null);
  test.each(near)("and its nearest word, put there, makes the job valid: $law", (p) => {
    const marked = changed(EXAMPLE, p.from, p.to);
    expect(told(marked.replace(/«[^»]*»/, () => p.near ?? ""))).toEqual([]);
  });
});

test("a text that is no YAML is told by its place alone", () => {
  const text = changed(EXAMPLE, "key: [refund_id]", "key: [refund_id");
  const { job, mistakes } = parseJob(text, "job.yaml");
  const line = text.split("\n").findIndex((l) => l.includes("key: [refund_id")) + 2;
  expect(job).toBeNull();
  expect(mistakes[0]?.line).toBe(line);
  expect(new Set(mistakes.map((m) => m.expected))).toEqual(new Set(["valid YAML 1.2"]));
});

test("mistakes of the text, of fields and between parts are all told, in order", () => {
  const few = ["an unknown key", "a word for true", "an anchor", "a misspelt severity"];
  const text = PLANTED.filter((p) => few.includes(p.law)).reduce(
    (all, { from, to }) => changed(all, from, to.replace(/[«»]/g, "")),
    EXAMPLE,
  );
  expect(parseJob(text, "j").mistakes.map((m) => m.message)).toEqual([
    'unknown key "ownr"',
    "an anchor &k",
    'required is the text "no"',
    '"warn" is not known here',
  ]);
});

test("an unknown key hides no mistake between the parts of the job", () => {
  const text = changed(
    changed(EXAMPLE, "share: finance", "shares: finance"),
    "top: 3, columns: [seller_id, delta]",
    "top: 3, columns: [detla]",
  );
  expect(parseJob(text, "j").mistakes.map((m) => m.nearest)).toEqual(["share", "delta"]);
});

test("what is asked further of a valid job is placed too, once for each spot", () => {
  const path = ["steps", 0, "sql"];
  const problem = { path, at: "value", message: "m", expected: "e", nearest: null } as const;
  const { job, mistakes } = parseJob(EXAMPLE, "job.yaml", () => [problem]);
  const line = EXAMPLE.split("\n").findIndex((l) => l.includes("sql: fee_lookup.sql"));
  const column = EXAMPLE.split("\n")[line]?.indexOf("fee_lookup.sql");
  expect(job).toBeNull();
  expect(mistakes).toEqual([
    {
      file: "job.yaml",
      line: line + 1,
      column: (column ?? 0) + 1,
      path,
      message: "m",
      expected: "e",
      nearest: null,
    },
  ]);
});

test("a text of any kind gives a job or mistakes with places in it, and nothing else", () => {
  const edit = fc.record({
    at: fc.nat(EXAMPLE.length),
    cut: fc.nat(12),
    put: fc.oneof(
      fc.constant(""),
      fc.string({ maxLength: 6, unit: "binary" }),
      fc.constantFrom(
        "\n",
        "  ",
        "- ",
        ": ",
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        "&a ",
        "*a",
        "!x ",
        "|",
        "#",
        "\t",
        "%",
      ),
    ),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      const text = edits.reduce(
        (t, e) => t.slice(0, e.at) + e.put + t.slice(e.at + e.cut),
        EXAMPLE,
      );
      const { job, mistakes } = parseJob(text, "job.yaml");
      expect(job === null).toBe(mistakes.length > 0);
      const lines = text.split(/\r\n|\r|\n/).length;
      for (const m of mistakes) {
        expect(m.line).toBeGreaterThanOrEqual(1);
        expect(m.line).toBeLessThanOrEqual(lines);
        expect(mistakeText(m).split("\n")).toHaveLength(1);
      }
    }),
    { numRuns: 150 },
  );
});

describe("a text made to exhaust the reader is refused with a place", () => {
  test.each([
    ["brackets", "[".repeat(900_000), "nested too deep"],
    ["list in list", "- ".repeat(400_000), "nested too deep"],
    ["key in key", "? ".repeat(400_000), "nested too deep"],
    ["lists in lists on every line", `${"- ".repeat(1000)}\n`.repeat(400), "nested too deep"],
    [
      "blocks in blocks",
      Array.from({ length: 900 }, (_, i) => `${" ".repeat(i)}k:`).join("\n"),
      "nested too deep",
    ],
    ["more than a million characters", "#".repeat(1_000_001), "too large"],
    [
      "aliases of aliases",
      `a: &a [x]\nb: &b [${"*a,".repeat(9)}]\nc: [${"*b,".repeat(9)}]`,
      "an anchor",
    ],
    ["nothing", "", "the document is empty"],
    ["a scalar", "refunds", 'the document is the text "refunds"'],
    ["another version of YAML", "%YAML 1.1\n---\njob: x", "a directive"],
  ])("%s", (_, text, says) => {
    const { job, mistakes } = parseJob(text, "job.yaml");
    expect(job).toBeNull();
    expect(mistakes.some((m) => m.message.includes(says))).toBe(true);
  });

  test("a key repeated twenty thousand times is told each time but the first", () => {
    expect(parseJob("job: a\n".repeat(20_000), "j").mistakes.length).toBeGreaterThan(19_998);
  });
});
