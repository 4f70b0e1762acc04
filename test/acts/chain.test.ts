import { describe, expect, test } from "vitest";
import { recordSuperseded } from "../../src/acts/supersede.js";
import { AsOf, JobName, RunId } from "../../src/model/ids.js";
import { runKeys } from "../../src/model/layout.js";
import { outdatedRuns, whyOutdated } from "../../src/queries/chain.js";
import { readCommitted } from "../../src/queries/committed.js";
import { readLedger } from "../../src/queries/ledger.js";
import { list } from "../../src/queries/list.js";
import { status } from "../../src/queries/status.js";
import { trace } from "../../src/queries/trace.js";
import { DATES } from "../faults/scenes.js";
import { type Lab, openLab } from "../stages/lab.js";

const cards = JobName.parse("cards");
const [first, second, third] = Object.values(DATES).map((d) => RunId.parse(`cards-${d}`));
const restated = RunId.parse(`cards-${DATES.second}-r2`);
const SUPERSEDED = `previous ${second} was superseded by ${restated}`;

async function threeNights(): Promise<Lab> {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  await lab.run(DATES.second, { night: "second" });
  await lab.run(DATES.third, { night: "first" });
  return lab;
}

describe("a chain of nights", () => {
  test("that were run in their order has no outdated run", async () => {
    const lab = await threeNights();
    expect(await outdatedRuns(cards, null, lab.start("first").fx)).toEqual([]);
  });

  test("says of each run that stands on a superseded one why, and of no other", async () => {
    const lab = await threeNights();
    await lab.run(DATES.second, { night: "corrected", revision: 2 });
    const { fx } = lab.start("first");
    expect(await outdatedRuns(cards, null, fx)).toEqual([{ run_id: third, why: SUPERSEDED }]);
    expect(await whyOutdated(restated, fx)).toBeNull();
    expect(await whyOutdated(RunId.parse(`${second}`), fx), "superseded itself").toBeNull();
  });

  test("is told by status, list and trace alike", async () => {
    const lab = await threeNights();
    await lab.run(DATES.second, { night: "corrected", revision: 2 });
    const { fx } = lab.start("first");
    const run = RunId.parse(`${third}`);
    expect((await status(run, fx)).outdated).toBe(SUPERSEDED);
    expect((await trace(run, null, fx)).outdated).toBe(SUPERSEDED);
    expect((await trace(run, "breaks.csv", fx)).outdated).toBe(SUPERSEDED);
    const { runs } = await list(cards, 10, fx);
    expect(runs.map((r) => [r.run_id, r.outdated])).toEqual([
      [third, SUPERSEDED],
      [restated, null],
      [second, null],
      [first, null],
    ]);
  });

  test("is outdated to its end when an early night is restated, and whole again in order", async () => {
    const lab = await threeNights();
    await lab.run(DATES.first, { night: "first", revision: 2 });
    const { fx } = lab.start("first");
    const why = `previous ${first} was superseded by ${first}-r2`;
    expect(await outdatedRuns(cards, null, fx)).toEqual([
      { run_id: second, why },
      { run_id: third, why: `${second} before it is outdated: ${why}` },
    ]);
    await lab.run(DATES.second, { night: "second", revision: 2 });
    expect(await outdatedRuns(cards, null, fx)).toEqual([{ run_id: third, why: SUPERSEDED }]);
    await lab.run(DATES.third, { night: "first", revision: 2 });
    expect(await outdatedRuns(cards, null, fx)).toEqual([]);
  });

  test("that gets a late night between two has the later one outdated, which stays the newest", async () => {
    const lab = await openLab();
    await lab.run(DATES.first, { night: "first" });
    await lab.run(DATES.third, { night: "second" });
    const late = await lab.run(DATES.second, { night: "corrected" });
    expect(late.run.manifest.previous.map((p) => p.run_id)).toEqual([first]);
    const { fx } = lab.start("first");
    const why = `its previous would now be ${second}, and was ${first}`;
    expect(await outdatedRuns(cards, null, fx)).toEqual([{ run_id: third, why }]);
    expect((await list(cards, 1, fx)).runs.map((r) => r.run_id)).toEqual([third]);
  });

  test("that gets a night before its first has the first outdated", async () => {
    const lab = await openLab();
    await lab.run(DATES.second, { night: "first" });
    await lab.run(DATES.first, { night: "first" });
    const why = `its previous would now be ${first}, and was none`;
    const { fx } = lab.start("first");
    expect(await outdatedRuns(cards, null, fx)).toEqual([{ run_id: second, why }]);
    expect(await outdatedRuns(cards, AsOf.parse(DATES.first), fx), "until a date").toEqual([]);
  });

  test("with a damaged run says so of that run, and reads the others", async () => {
    const lab = await threeNights();
    lab.world.rot("store", runKeys(RunId.parse(`${second}`)).manifest(1));
    const found = await outdatedRuns(cards, null, lab.start("first").fx);
    expect(found).toMatchObject([
      { run_id: second, why: expect.stringMatching(/damaged/) },
      { run_id: third },
    ]);
  });
});

test("a superseded run's ledger names the run that supersedes it, once", async () => {
  const lab = await threeNights();
  const { run } = await lab.run(DATES.second, { night: "corrected", revision: 2 });
  const { fx } = lab.start("first");
  const before = await readCommitted(RunId.parse(`${second}`), fx);
  if (before === null) throw new Error("the run is not committed");
  await recordSuperseded(run.manifest, fx);
  await recordSuperseded(run.manifest, lab.start("first").fx);
  const acts = await readLedger(before, fx);
  expect(acts.map(({ kind, detail }) => ({ kind, detail }))).toEqual([
    { kind: "supersede", detail: { by: restated } },
  ]);
  await recordSuperseded(before.manifest, fx);
  expect(await readLedger(before, fx), "it supersedes none").toHaveLength(1);
});
