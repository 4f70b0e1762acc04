import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ask } from "../../src/operations.js";
import { openLibrary } from "../../src/wire.js";

const JOB = `job: notes
title: Lines carried forward
owner: finance-ops
inputs:
  lines: { file: "lines*.csv", columns: { id: text, amount: money(USD) }, key: [id] }
previous: { total: { required: false } }
steps:
  - { name: total, sql: total.sql, artefact: total.csv }
artefacts:
  total.csv:
    order_by: [id]
    retain_days: 30
    share: finance
    columns: { id: text, amount: money(USD) }
`;
const SQL = `SELECT l.id, CAST(l.amount + coalesce(p.amount, 0) AS DECIMAL(18,2)) AS amount
FROM lines l LEFT JOIN previous.total p ON p.id = l.id`;

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "chains-"));
  put("jobs/notes/job.yaml", JOB);
  put("jobs/notes/total.sql", SQL);
  for (const day of [1, 2, 3]) put(`exports/2026-11-0${day}/lines.csv`, lines(day));
});
afterEach(() => rmSync(home, { recursive: true }));

function put(name: string, text: string): void {
  mkdirSync(join(home, name, ".."), { recursive: true });
  writeFileSync(join(home, name), text);
}
const lines = (amount: number) => `id,amount\nA,${amount}.00\n`;
const nights = { job: "notes", from: "2026-11-01", to: "2026-11-03", inputs: "exports/{as_of}" };

async function asked(name: string, input: object) {
  const desk = await openLibrary({ cwd: home });
  try {
    return await ask(name, input, desk);
  } finally {
    await desk.close();
  }
}

test("a range runs in order, stops where a night has no exports, and repeats what is done", async () => {
  const stopped = asked("run", { ...nights, to: "2026-11-04" });
  await expect(stopped).rejects.toMatchObject({
    code: "INPUT_MISSING",
    at: { stopped_at: "2026-11-04", done: 3, of: 4 },
  });
  const again = await asked("run", nights);
  expect(again).toMatchObject({
    exit: 0,
    output: {
      run_id: "notes-2026-11-03",
      nights: [1, 2, 3].map((d) => ({ run_id: `notes-2026-11-0${d}`, repeated: true })),
      shares: [{ state: "not shared", why: "no destination finance is configured" }],
    },
  });
  const wrong = asked("run", { ...nights, as_of: "2026-11-01" });
  await expect(wrong).rejects.toMatchObject({ code: "USAGE" });
}, 120_000);

test("rechain restates from the kept inputs in order, shares, and is done", async () => {
  await asked("run", nights);
  put("tieout.yaml", "shares: { finance: { dir: finance } }\n");
  mkdirSync(join(home, "finance"));
  put("exports/2026-11-01/lines.csv", lines(9));
  const reason = "a corrected export";
  await asked("restate", { run: "notes-2026-11-01", reason, inputs: "exports/{as_of}" });
  rmSync(join(home, "exports"), { recursive: true });
  expect(await asked("rechain", { of: "notes" })).toMatchObject({
    exit: 0,
    output: { restated: [{ run_id: "notes-2026-11-02-r2" }, { run_id: "notes-2026-11-03-r2" }] },
  });
  expect(await asked("rechain", { of: "notes-2026-11-03" })).toMatchObject({
    output: { restated: [] },
  });
  const copy = readFileSync(join(home, "finance/notes/2026-11-03-r2/total.csv"), "utf8");
  expect(copy, "9 + 2 + 3").toBe("id,amount\nA,14.00\n");
  expect(readdirSync(join(home, "finance")), "nothing but copies").toEqual(["notes"]);
}, 120_000);

test("a destination that is nowhere is told before a run, with the nearest word", async () => {
  put("tieout.yaml", "shares: { finances: { dir: finance } }\n");
  expect(await asked("check", { job: "notes" })).toMatchObject({
    exit: 2,
    output: {
      mistakes: [
        { line: 13, nearest: "finances", message: expect.stringMatching(/no destination finance/) },
      ],
    },
  });
  await expect(asked("run", nights)).rejects.toMatchObject({ code: "JOB_INVALID" });
}, 60_000);

test("a share that is not mounted leaves the run committed and pending, until it is", async () => {
  put("tieout.yaml", "shares: { finance: { dir: finance } }\n");
  const one = { job: "notes", as_of: "2026-11-01", inputs: "exports/{as_of}" };
  const first = await asked("run", one);
  expect(first).toMatchObject({ exit: 10, output: { shares: [{ state: "pending" }] } });
  expect(first.output).toMatchObject({
    pending: expect.stringMatching(/^share of total.csv with finance: .*ENOENT/),
  });
  mkdirSync(join(home, "finance/notes/2026-11-01"), { recursive: true });
  put("finance/notes/2026-11-01/total.csv", "somebody's own\n");
  const other = await asked("share", { run: "notes-2026-11-01" });
  expect(other).toMatchObject({
    exit: 10,
    output: { shares: [{ why: expect.stringMatching(/other bytes/) }] },
  });
  rmSync(join(home, "finance/notes/2026-11-01/total.csv"));
  expect(await asked("share", { run: "notes-2026-11-01" })).toMatchObject({ exit: 0 });
  expect(await asked("run", one)).toMatchObject({ exit: 0, output: { pending: null } });
}, 60_000);
