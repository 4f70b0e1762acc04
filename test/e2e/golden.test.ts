import { cpSync, readFileSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Night, nightRow } from "../jobs/nights.js";
import { keptText } from "./kept.js";
import { at, library } from "./library.js";
import { PROJECT, workplace } from "./product.js";

type Run = Awaited<ReturnType<Awaited<ReturnType<typeof library>>["runJob"]>>;

const WEEKS = ["2026-08-03", "2026-08-10"] as const;
const NIGHTS = ["2021-07-04", "2021-07-06", "2021-07-07"] as const;
const fixture = (path: string): string => readFileSync(`${PROJECT}fixtures/${path}`, "utf8");

let cwd: string;
const runs = new Map<string, Run>();
beforeAll(async () => {
  cwd = workplace();
  cpSync(`${PROJECT}fixtures/library-bills`, `${cwd}/nights`, { recursive: true });
  const { runJob } = await library();
  for (const as_of of WEEKS) {
    const asked = { job: "refunds", as_of, inputs: `exports/${as_of}` };
    runs.set(as_of, await runJob(asked, at(cwd)));
  }
  for (const as_of of NIGHTS) {
    const asked = { job: "library-bills", as_of, inputs: `nights/${as_of}` };
    runs.set(as_of, await runJob(asked, at(cwd)));
  }
}, 300_000);
afterAll(() => rmSync(cwd, { recursive: true }));

function figures(as_of: string): Record<string, unknown> {
  const all = runs.get(as_of)?.figures ?? [];
  return Object.fromEntries(all.map((f) => [f.name, f.rows ?? f.value]));
}

describe.each(WEEKS)("the committed refunds of %s", (week) => {
  test("are the discrepancies of the generator's books, byte for byte", () => {
    const expected = fixture(`refunds/expected/${week}/discrepancies.csv`);
    expect(keptText(cwd, `refunds-${week}`, "discrepancies.csv")).toBe(expected);
  });

  test("have the figures of the generator's books", () => {
    const expected = JSON.parse(fixture(`refunds/expected/${week}/figures.json`));
    expect(figures(week)).toEqual(expected);
  });

  test("read page after page in the summary as the books do", { timeout: 120_000 }, async () => {
    const { head } = await library();
    const lines: string[] = [];
    let next: string | undefined;
    do {
      const asked = { run: `refunds-${week}`, relation: "summary", n: 200 };
      const page = await head(next === undefined ? asked : { ...asked, next }, at(cwd));
      lines.push(...page.rows.map((row) => row.join(",")));
      next = page.next;
    } while (next !== undefined && lines.length < 60);
    const expected = fixture(`refunds/expected/${week}/seller_summary.csv`).split("\n").slice(1);
    expect(lines).toEqual(expected.slice(0, lines.length));
    expect(lines.length).toBeGreaterThanOrEqual(60);
  });
});

test("the second week carries the first one's open items", () => {
  const [previous] = runs.get(WEEKS[1])?.previous ?? [];
  expect(previous).toEqual({ name: "discrepancies", run_id: `refunds-${WEEKS[0]}`, rows: 19 });
});

describe.each([...NIGHTS.entries()])("night %i of the library bills, %s,", (n, night) => {
  const truth = (of: string): Night => JSON.parse(fixture(`library-bills/expected/${of}.json`));

  test("rolls forward from the night before to the independent count", () => {
    const before = NIGHTS[n - 1];
    const row = nightRow(truth(night), before === undefined ? null : truth(before));
    const [, line] = keptText(cwd, `library-bills-${night}`, "night.csv").split("\n");
    expect(line?.split(",")).toEqual(row);
  });

  test("carries the night before forward", () => {
    const [previous] = runs.get(night)?.previous ?? [];
    const before = NIGHTS[n - 1];
    expect(previous?.run_id ?? null).toBe(before === undefined ? null : `library-bills-${before}`);
  });
});
