import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTieout } from "../../src/model/errors.js";
import { ArtefactName, AsOf, ColumnName, RunId, Sha256 } from "../../src/model/ids.js";
import type { FigureSpec } from "../../src/model/job.js";
import type { Figure } from "../../src/model/manifest.js";
import { checkTemplate, renderClosing, renderSummary } from "../../src/model/summary.js";

const artefact = ArtefactName.parse("discrepancies.csv");
const delta = ColumnName.parse("delta");
const seller = ColumnName.parse("seller_id");
const specs: Record<string, FigureSpec> = {
  sellers: { artefact, aggregate: "count" },
  total: { artefact, aggregate: "sum", column: delta },
  by_cur: { artefact, aggregate: "sum", column: delta },
  worst: { artefact, top: 3, columns: [seller, delta] },
};
const figure = (name: string, rest: Partial<Figure>): Figure => ({
  name,
  value: null,
  unit: null,
  artefact,
  aggregate: null,
  column: null,
  ...rest,
});
const figures: Figure[] = [
  figure("sellers", { value: "23" }),
  figure("total", { value: "4118.62", unit: "USD" }),
  figure("by_cur", { by_currency: { EUR: "10.00", JPY: "5" } }),
  figure("worst", {
    rows: [
      { seller_id: "a|b\n`x`", delta: "9.00" },
      { seller_id: "s_2", delta: null },
    ],
  }),
];
const context = {
  run_id: RunId.parse("refunds-2026-08-10"),
  as_of: AsOf.parse("2026-08-10"),
  title: "Refunds",
};
const render = (template: string, allowed: string[] = []): string =>
  renderSummary(template, specs, figures, context, allowed);
const mistakes = (template: string, allowed: string[] = []): string[] =>
  checkTemplate(template, specs, allowed).map((p) => `${p.line}:${p.column} ${p.message}`);

describe("a summary", () => {
  it("says figures with their unit, and the run", () => {
    expect(render("{{sellers}} sellers, {{ total }} on {{as_of}} in {{run_id}}: {{title}}.")).toBe(
      "23 sellers, 4118.62 USD on 2026-08-10 in refunds-2026-08-10: Refunds.",
    );
    expect(render("In all {{by_cur}}.")).toBe("In all 10.00 EUR, 5 JPY.");
  });

  it("shows a top figure as a table whose cells stay cells", () => {
    expect(render("Worst:\n\n{{worst}}\n")).toBe(
      "Worst:\n\n| seller_id | delta |\n| --- | --- |\n" +
        "| a\\|b\\\\u000a\\`x\\` | 9.00 |\n| s_2 |  |\n",
    );
  });

  it("takes a cell of a top figure, and says none for a row that is not there", () => {
    expect(render("{{worst[1].seller_id}} and {{worst[2].seller_id}}")).toBe("s_2 and none");
  });

  it.each([
    "about 4,118",
    "in Q3",
    "4118.62",
    "½ of it",
    "Ⅷ",
    "١٢",
    "²",
    "x1",
    "2026-02-30",
    "12026-08-10",
    "2026-08-10-1",
    "refunds-2026-08-11",
    "{{sellers}}5",
    "5{{sellers}}",
    "&#49;",
  ])("refuses %j: a number that code did not compute", (text) => {
    expect(mistakes(text)).not.toEqual([]);
    expect(() => render(text)).toThrow();
  });

  it("allows dates that exist, the run's own id, and words that the job declares", () => {
    const text = "On 2026-08-10 (refunds-2026-08-10) the file v2_ledger.csv.";
    expect(render(text, ["v2_ledger.csv"])).toBe(text);
  });

  it.each([
    "{{sellers}}{{total}}",
    "{{sellers}}.{{sellers}}",
    "{{sellers}},{{sellers}}",
    "-{{total}}",
    "−{{total}}",
    "{{sellers}}k",
    "USD{{total}}",
  ])("refuses %j: figures that touch read as a number that nothing computed", (text) => {
    expect(mistakes(text)).toHaveLength(1);
  });

  it("names the nearest figure, row and column for what does not exist", () => {
    expect(mistakes("{{totl}}")[0]).toContain("did you mean {{total}}?");
    expect(mistakes("{{worst[3].delta}}")[0]).toContain("{{worst[2].delta}}");
    expect(mistakes("{{worst[0].dleta}}")[0]).toContain("{{worst[0].delta}}");
    expect(mistakes("{{total[0].delta}}")[0]).toContain("write {{total}}");
    expect(mistakes("{{constructor}}")).toHaveLength(1);
    expect(mistakes("{{Total}} {{ }} {{total")).toHaveLength(2);
    expect(mistakes("a {{worst}} b")[0]).toContain("empty lines");
  });

  it("reports all mistakes at once, with their places and the figure that a number equals", () => {
    try {
      render("Hello 23\n\nand é {{nope}}\n");
      expect.unreachable();
    } catch (e) {
      if (!isTieout(e, "SUMMARY_INVALID")) throw e;
      expect(e.message).toContain("1:7 the number 23 is typed: write {{sellers}} instead");
      expect(e.message).toContain("3:7 no figure is called nope");
      expect(e.at).toMatchObject({ line: 1, column: 7, problems: 2 });
    }
  });

  it("no digit survives outside a figure, a date or the run id", () => {
    const word = fc.constantFrom(
      ..."{{sellers}} {{total}} {{worst}} {{as_of}} 2026-08-10 2026-13-10 12 ½ a - . , | { }}".split(
        " ",
      ),
      " ",
      "\n\n",
    );
    const texts = fc.array(fc.oneof(word, fc.string({ unit: "binary", maxLength: 3 })));
    let accepted = 0;
    fc.assert(
      fc.property(texts, (parts) => {
        const template = parts.join("");
        if (checkTemplate(template, specs).length > 0) return;
        accepted++;
        const left = template
          .replace(/\{\{[^{}]*\}\}/g, "")
          .replace(/(?<![\p{N}\p{L}])\d{4}-\d{2}-\d{2}(?![\p{N}\p{L}])/gu, "");
        expect(left).not.toMatch(/\p{N}/u);
        expect(() => render(template)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});

describe("the closing", () => {
  it("lists every kept file with its key, rows and SHA-256", () => {
    const sha256 = Sha256.parse("9f".repeat(32));
    const text = renderClosing([
      { path: "discrepancies.csv", key: "refunds/r/a1/discrepancies.csv", rows: 23, sha256 },
      {
        path: "records/journal.jsonl",
        key: "refunds/r/a1/records/journal.jsonl",
        rows: null,
        sha256,
      },
    ]);
    expect(text).toContain(
      `| discrepancies.csv | 23 | refunds/r/a1/discrepancies.csv | ${sha256} |`,
    );
    expect(text).toContain(`| records/journal.jsonl | - |`);
  });
});
