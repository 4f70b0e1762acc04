import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenBench, openBench } from "./bench.js";
import { type Outcome, rowsOf, runJob } from "./workbench.js";

const WEEKS = ["2026-08-03", "2026-08-10"] as const;
const folder = fileURLToPath(new URL("../../fixtures/refunds/", import.meta.url));
const golden = (week: string, file: string): string =>
  readFileSync(`${folder}expected/${week}/${file}`, "utf8");

let bench: OpenBench;
const outcomes = new Map<string, Outcome>();
const outcomeOf = (week: string): Outcome => {
  const outcome = outcomes.get(week);
  if (!outcome) throw new Error(`no run of ${week}`);
  return outcome;
};
beforeAll(async () => {
  bench = await openBench();
  let before: Outcome | null = null;
  for (const week of WEEKS) {
    before = await runJob("refunds", week, folder + week, before, bench);
    outcomes.set(week, before);
  }
}, 60_000);
afterAll(() => bench.close());

describe.each(WEEKS)("the refunds of %s", (week) => {
  test("give the discrepancies of the generator's books, byte for byte", () => {
    const [file] = outcomeOf(week).relations.get("discrepancies")?.files ?? [];
    expect(readFileSync(file?.path ?? "", "utf8")).toBe(golden(week, "discrepancies.csv"));
  });

  test("give every account with its status", async () => {
    const summary = outcomeOf(week).relations.get("summary");
    const rows = summary ? await rowsOf(summary, ["seller_id"], bench.engine) : [];
    const lines = golden(week, "seller_summary.csv").trimEnd().split("\n").slice(1);
    expect(rows.map((r) => r.join(","))).toEqual(lines);
  });

  test("pass every check", () => {
    expect(outcomeOf(week).faults).toEqual([]);
  });

  test("keep one joined row for each refund line", () => {
    const { relations } = outcomeOf(week);
    expect(relations.get("joined")?.rows).toBe(relations.get("refunds")?.rows);
  });
});

describe("a broken export", () => {
  const replace = (file: string, edit: (text: string) => string) =>
    writeFileSync(file, edit(readFileSync(file, "utf8")));
  const without = (text: string, seller: string): string =>
    text.replace(new RegExp(`^${seller},.*\n`, "m"), "");
  let faults: readonly string[] = [];
  beforeAll(async () => {
    const broken = bench.folder();
    cpSync(folder + WEEKS[1], broken, { recursive: true });
    replace(`${broken}/refunds.csv`, (text) => text.replace("late_delivery", "goodwill"));
    const [refunded, openLastWeek] = ["002601", "047878"];
    replace(`${broken}/ledger.csv`, (text) => without(without(text, refunded), openLastWeek));
    replace(`${broken}/ledger.csv`, (text) => `${text}000468,0.00,\n`);
    const at = { ...bench, root: bench.folder() };
    faults = (await runJob("refunds", WEEKS[1], broken, outcomeOf(WEEKS[0]), at)).faults;
  }, 60_000);

  test.each([
    ["a reason without a rate", "discrepancies.sql_every_reason_has_a_fee"],
    ["a refund whose seller has no account", "discrepancies.sql_every_seller_has_an_account"],
    ["an account that was open the week before and is gone", "summary.sql_no_open_item_lost"],
    ["deltas that do not sum to the difference of the exports", "discrepancies.tie_out"],
    ["an account that comes twice", "ledger.key_unique"],
  ])("with %s is found by its check", (_, check) => {
    expect(faults.map((f) => f.slice(0, f.indexOf(":")))).toContain(check);
  });
});
