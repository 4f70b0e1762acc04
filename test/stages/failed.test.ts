import { expect, test } from "vitest";
import type { Key } from "../../src/model/ids.js";
import { Failure } from "../../src/model/records.js";
import { DATES } from "../faults/scenes.js";
import { openLab } from "./lab.js";

const FAILED = "cards/cards-2026-08-10/failed/a1";

test("a run whose checks fail ships what failed, its rows and its journal, and no manifest", async () => {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  expect(await lab.fails(DATES.second, { night: "wrong" })).toBe("CHECK_FAILED");
  const failure = Failure.parse(JSON.parse(await lab.stored(`${FAILED}/failure.json`)));
  expect(failure).toMatchObject({ attempt: 1, stage: "compute", error: { code: "CHECK_FAILED" } });
  const finding = failure.findings.find((f) => f.severity === "error");
  expect(finding).toMatchObject({ artefact: "breaks.csv", rows: 1 });
  expect(await lab.stored(`${FAILED}/${finding?.failed_rows}`)).toBe("account,delta\nA1,0.01\n");
  expect(await lab.stored(`${FAILED}/journal.jsonl`)).toContain('"event":"pin"');
  const keys = [...(await lab.world.look()).store.keys()];
  expect(keys.filter((k) => /2026-08-10\/(a\d+\/|committed)/.test(k))).toEqual([]);
});

test("all findings of a run are told at once, those of warnings too", async () => {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  await lab.fails(DATES.second, { night: "wrong" });
  const { findings } = Failure.parse(JSON.parse(await lab.stored(`${FAILED}/failure.json`)));
  expect(findings.map((f) => [f.severity, f.check])).toEqual([
    ["warning", "breaks.few"],
    ["error", "breaks.sql_no_zero"],
    ["warning", "breaks.sql_long_open"],
  ]);
});

test("a run that failed may be run again at once, and its failure stays", async () => {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  await lab.fails(DATES.second, { night: "wrong" });
  const { run } = await lab.run(DATES.second, { night: "second" });
  expect(run.commit.attempt).toBe(2);
  expect(await lab.stored(`${FAILED}/failure.json`)).toContain("CHECK_FAILED");
});

test("rejects beyond what is tolerated ship with the failure, where each of them is", async () => {
  const lab = await openLab();
  expect(await lab.fails(DATES.second, { night: "rejected" })).toBe("INPUT_REJECTS");
  const [header, ...rejects] = (await lab.stored(`${FAILED}/records/rejects/payments.csv`))
    .trimEnd()
    .split("\n");
  expect(header).toBe("file,line,column,code,reason,raw");
  expect(rejects.map((r) => r.split(",").slice(0, 3))).toEqual([
    ["payments.csv", "3", "amount"],
    ["payments.csv", "4", "amount"],
  ]);
});

test("all inputs that are missing are named at once, and the attempt's folder stays", async () => {
  const lab = await openLab();
  expect(await lab.fails(DATES.second, { night: {} })).toBe("INPUT_MISSING");
  const failure = Failure.parse(JSON.parse(await lab.stored(`${FAILED}/failure.json`)));
  expect(failure.error.subject).toBe("payments, ledger");
  expect(await lab.onDisk("cards-2026-08-10/a1/failure.json")).not.toBeNull();
});

test("a run that is asked to stop ends before its next stage, releases its claim and says how to go on", async () => {
  const lab = await openLab();
  const stop = new AbortController();
  const before = async (_: number, call: string): Promise<void> => {
    if (/^seal .*breaks\.csv$/.test(call)) stop.abort();
  };
  const how = { night: "second", before, signal: stop.signal } as const;
  expect(await lab.fails(DATES.second, how)).toBe("INTERRUPTED");
  const failure = Failure.parse(JSON.parse(await lab.stored(`${FAILED}/failure.json`)));
  expect(failure.error).toMatchObject({ code: "INTERRUPTED" });
  const { run } = await lab.run(DATES.second, { night: "second" });
  expect(
    run.manifest.steps.map((s) => s.adopted_from),
    "at once, from what was sealed",
  ).toEqual([1, 1, 1]);
});

test("what is left of a failure is kept for 30 days, by the store's clock", async () => {
  const lab = await openLab();
  await lab.fails(DATES.second, { night: "rejected" });
  const { store } = lab.start("first").fx;
  const keys = await store.list("cards/cards-2026-08-10/failed/" as Key);
  expect(keys.length).toBeGreaterThan(2);
  for (const key of keys) {
    const stored = await store.head(key);
    if (stored === null) throw new Error(`${key} was listed`);
    const { until } = await store.retention(stored);
    const days = (Date.parse(until ?? "") - lab.world.clock.now) / 86_400_000;
    expect(days, key).toBeGreaterThan(29.9);
    expect(days, key).toBeLessThanOrEqual(30);
  }
});
