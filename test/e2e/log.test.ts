import { readFileSync, rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tieout, workplace } from "./product.js";

const AS_OF = "2026-08-03";
const RUN = `refunds-${AS_OF}`;
let cwd: string;
let lines: string[];
beforeAll(async () => {
  cwd = workplace();
  const args = ["run", "refunds", "--as-of", AS_OF, "--inputs", `exports/${AS_OF}`];
  const { err, exit } = await tieout(args, cwd, { TIEOUT_LOG_LEVEL: "info" });
  expect(exit).toBe(0);
  lines = err.trimEnd().split("\n");
}, 60_000);
afterAll(() => rmSync(cwd, { recursive: true }));

test("every event of a run names the run, and from its claim on the attempt", () => {
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    expect(line).toContain(` run_id=${RUN}`);
    expect(line).toContain(" attempt=1");
  }
});

test("the commit and the teardown are events", () => {
  const events = lines.map((line) => /^\S+ info (.*?) run_id=/.exec(line)?.[1]);
  expect(events).toContain("committed");
  expect(events.at(-1)).toBe("torn down");
});

test("no cell of an input is in an event (I018)", () => {
  const cells = ["refunds.csv", "ledger.csv"].flatMap((file) =>
    readFileSync(`${cwd}/exports/${AS_OF}/${file}`, "utf8")
      .split("\n")
      .slice(1)
      .join(",")
      .split(","),
  );
  const telling = new Set(
    cells.filter((cell) => cell.length >= 6 && !/^\d{4}-\d\d-\d\d$/.test(cell)),
  );
  expect(telling.size).toBeGreaterThan(5_000);
  const words = lines.flatMap((line) => line.split(/[ =]/));
  expect(words.filter((word) => telling.has(word))).toEqual([]);
});
