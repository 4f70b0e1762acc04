import { describe, expect, test } from "vitest";
import { Killed } from "../../src/model/fault.js";
import { RunId } from "../../src/model/ids.js";
import { runKeys } from "../../src/model/layout.js";
import type { RunAnswer } from "../../src/model/report.js";
import type { Desk } from "../../src/operations/operation.js";
import { restateOperation, runOperation } from "../../src/operations/runs.js";
import { status } from "../../src/queries/status.js";
import { directorySource } from "../../src/sources/directory.js";
import { type Life, TTL_MS } from "../faults/process.js";
import { DATES, EXPORTS } from "../faults/scenes.js";
import { type Lab, openLab } from "./lab.js";

const FIRST = RunId.parse(`cards-${DATES.second}`);
const RESTATED = RunId.parse(`${FIRST}-r2`);
const REASON = "a corrected export came";

const unasked = (): never => {
  throw new Error("a run does not ask for this");
};

/** What operations reach of a lab, each time as a new process with the corrected exports. */
function deskOf(lab: Lab, life: Partial<Life> = {}): Desk {
  const home = new URL("../faults/jobs", import.meta.url).pathname;
  return {
    effects: async () => lab.start("corrected", life).fx,
    jobs: () => directorySource(home, "jobs"),
    job: (name) => directorySource(`${home}/${name}`, `jobs/${name}`),
    kept: unasked,
    configuration: () => ({ config: null, settings: [], mistakes: [], ignored: [] }),
    doctor: unasked,
    step: null,
  };
}

const run = (lab: Lab): Promise<RunAnswer> =>
  runOperation.run(runOperation.input.parse({ job: "cards", as_of: DATES.second }), deskOf(lab));
const restate = (lab: Lab, life?: Partial<Life>): Promise<RunAnswer> =>
  restateOperation.run({ run: FIRST, reason: REASON }, deskOf(lab, life));

/** The end of a process at the first call that is like this one. */
function killedAt(end: RegExp): Partial<Life> {
  let dead = false;
  return {
    before: async (_, call) => {
      dead ||= end.test(call);
      if (dead) throw new Killed(call);
    },
  };
}

/** A lab whose second night is stated, and whose restatement was killed. */
async function killed(end: RegExp): Promise<Lab> {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  await lab.run(DATES.second, { night: "second" });
  await expect(restate(lab, killedAt(end))).rejects.toThrow(Killed);
  lab.world.clock.now += TTL_MS + 1000;
  return lab;
}

describe.each([
  ["amid its steps", /^seal .*breaks\.csv$/, []],
  [
    "between its manifest and its commit",
    new RegExp(`^create ${runKeys(RESTATED).committed}$`),
    [1],
  ],
] as const)("a restatement that was killed %s", (_, end, uncommitted) => {
  test("leaves the run as it was stated, and says so of itself", async () => {
    const lab = await killed(end);
    const { fx } = lab.start(EXPORTS.corrected);
    expect(await status(FIRST, fx)).toMatchObject({ state: "committed", superseded_by: null });
    expect(await status(RESTATED, fx)).toMatchObject({
      state: "abandoned",
      attempt: 1,
      uncommitted,
    });
    await expect(run(lab), "the exports are the corrected ones").rejects.toMatchObject({
      code: "INPUTS_CHANGED",
      subject: FIRST,
    });
    const again = await lab.run(DATES.second, { night: "second" });
    expect(again).toMatchObject({ repeated: true, exit: 0, run: { run_id: FIRST } });
  });

  test("is committed by its second attempt when it is asked for again, and superseding", async () => {
    const lab = await killed(end);
    const answer = await restate(lab);
    expect(answer).toMatchObject({ run_id: RESTATED, attempt: 2, exit: 0, repeated: false });
    expect(answer).toMatchObject({ supersedes: { run_id: FIRST, reason: REASON }, uncommitted });
    const journal = await lab.stored(runKeys(RESTATED).attempt(2, "records/journal.jsonl"));
    expect(JSON.parse(journal.split("\n")[0] ?? "").record).toMatchObject({
      attempt: 2,
      uncommitted,
    });
    const { fx } = lab.start(EXPORTS.corrected);
    expect(await status(RESTATED, fx)).toMatchObject({
      state: "committed",
      attempt: 2,
      uncommitted,
    });
    expect((await status(FIRST, fx)).superseded_by).toBe(RESTATED);
    expect(await run(lab)).toMatchObject({ run_id: RESTATED, repeated: true, attempt: 2 });
  });
});
