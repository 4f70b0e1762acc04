import { describe, expect, test } from "vitest";
import { Manifest } from "../../src/model/manifest.js";
import { DATES, EXPORTS } from "../faults/scenes.js";
import { type Lab, openLab, type Walk } from "./lab.js";

const RUN = "cards-2026-08-10";

/** A lab in which the second night's process was killed at the first call that `at` fits. */
async function killed(at: RegExp, night: Walk["night"] = "second"): Promise<Lab> {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  let dead = false;
  const walk = lab.run(DATES.second, {
    night,
    before: async (_, call) => {
      dead ||= at.test(call);
      if (dead) throw new Error("the process is gone");
    },
  });
  await expect(walk).rejects.toThrow("the process is gone");
  lab.expire();
  return lab;
}

const AFTER_STEPS = /write .*job\.json$/;

async function manifestOf(lab: Lab, attempt: number): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await lab.stored(`cards/${RUN}/a${attempt}/manifest.json`)));
}

describe("a run that is taken up again", () => {
  test("adopts what was sealed, and does not ask the engine for it again", async () => {
    const lab = await killed(AFTER_STEPS);
    const calls: string[] = [];
    const { run } = await lab.run(DATES.second, {
      night: "second",
      before: async (_, call) => void calls.push(call),
    });
    expect(run.commit.attempt).toBe(2);
    expect(run.manifest.steps.map((s) => s.adopted_from)).toEqual([1, 1, 1]);
    expect(calls.filter((c) => /^evaluate .*\/1\.(paid|breaks|accounts)/.test(c))).toEqual([]);
  });

  test("makes a step anew whose sealed file was damaged, and adopts the others", async () => {
    const lab = await killed(AFTER_STEPS);
    lab.world.rot("disk", `${RUN}/a1/breaks.csv`);
    const { run } = await lab.run(DATES.second, { night: "second" });
    expect(run.manifest.steps.map((s) => [s.name, s.adopted_from])).toEqual([
      ["paid", 1],
      ["breaks", null],
      ["accounts", 1],
    ]);
  });

  test("adopts nothing of an attempt whose journal is damaged", async () => {
    const lab = await killed(AFTER_STEPS);
    lab.world.rot("disk", `${RUN}/a1/journal.jsonl`);
    const { run } = await lab.run(DATES.second, { night: "second" });
    expect(run.manifest.steps.map((s) => s.adopted_from)).toEqual([null, null, null]);
  });

  test("adopts no step that read other inputs", async () => {
    const lab = await killed(AFTER_STEPS);
    const { run } = await lab.run(DATES.second, { night: "corrected" });
    expect(run.manifest.steps.map((s) => s.adopted_from)).toEqual([null, null, null]);
    expect(run.manifest.inputs[0]?.rows).toBe(3);
  });

  test("reads the copy that it pinned when the exports are gone", async () => {
    const lab = await killed(AFTER_STEPS);
    const { run } = await lab.run(DATES.second, { night: {} });
    const sources = run.manifest.inputs.map((i) => i.files.map((f) => f.source));
    expect(sources).toEqual([["payments.csv"], ["ledger_1.csv", "ledger_2.csv"]]);
    expect(run.manifest.steps.map((s) => s.adopted_from)).toEqual([1, 1, 1]);
  });

  test("reads no copy that was damaged: the export is then missing", async () => {
    const lab = await killed(AFTER_STEPS);
    lab.world.rot("disk", `${RUN}/a1/in/payments.0`);
    expect(await lab.fails(DATES.second, { night: {} })).toBe("INPUT_MISSING");
  });

  test("reads the export as it is now, when it came anew before the commit", async () => {
    const lab = await killed(AFTER_STEPS);
    const { "payments.csv": payments } = EXPORTS.corrected;
    const { run } = await lab.run(DATES.second, {
      night: { ...EXPORTS.corrected, "payments.csv": payments },
    });
    const pinned = await lab.stored(`inputs/${run.manifest.inputs[0]?.files[0]?.sha256}`);
    expect(pinned).toBe(payments);
  });

  test("leaves what the dead attempt had stored, and commits its own", async () => {
    const lab = await killed(/create .*committed\.json$/);
    const { run } = await lab.run(DATES.second, { night: "second" });
    expect(run.commit.attempt).toBe(2);
    expect((await manifestOf(lab, 1)).artefacts.map((a) => a.sha256)).toEqual(
      (await manifestOf(lab, 2)).artefacts.map((a) => a.sha256),
    );
    expect(await lab.onDisk(`${RUN}/a1/manifest.json`), "dead attempts go too").toBeNull();
  });

  test("is refused while the dead one's claim holds, and says until when", async () => {
    const lab = await killed(AFTER_STEPS);
    lab.world.clock.now -= 61_000;
    expect(await lab.fails(DATES.second, { night: "second" })).toBe("CLAIMED_ELSEWHERE");
  });
});

describe("a run that is committed", () => {
  test("is repeated by a fresh process from the store alone, and its teardown is finished", async () => {
    const lab = await killed(/^remove/);
    expect(await lab.onDisk(`${RUN}/a1/manifest.json`)).not.toBeNull();
    const again = await lab.run(DATES.second, { night: "second" });
    expect(again).toMatchObject({ repeated: true, exit: 0, pending: null });
    expect(again.run.commit.attempt).toBe(1);
    expect([...(await lab.world.look()).disk.keys()].filter((n) => n.startsWith(RUN))).toEqual([]);
  });

  test("is repeated when its exports are gone: that proves nothing", async () => {
    const lab = await killed(/^remove/);
    expect(await lab.run(DATES.second, { night: {} })).toMatchObject({ repeated: true });
  });

  test("is not stated anew under its id: other exports or another job are INPUTS_CHANGED", async () => {
    const lab = await killed(/^remove/);
    const before = (await lab.world.look()).store;
    expect(await lab.fails(DATES.second, { night: "corrected" })).toBe("INPUTS_CHANGED");
    const more = { ...EXPORTS.second, "ledger_3.csv": "account,balance\nD4,1.00\n" };
    expect(await lab.fails(DATES.second, { night: more })).toBe("INPUTS_CHANGED");
    const loaded = { ...lab.loaded, summary: "{{open}} accounts.\n" };
    expect(await lab.fails(DATES.second, { night: "second", loaded })).toBe("INPUTS_CHANGED");
    expect((await lab.world.look()).store).toEqual(before);
  });

  test("tells nothing false while its exports cannot be read: UNKNOWN, not the disk's error", async () => {
    const lab = await killed(/^remove/);
    const trouble = { plan: { at: 1, mode: "before", times: "onward" }, hits: "source" } as const;
    expect(await lab.fails(DATES.second, { night: "second", trouble })).toBe("UNKNOWN");
  });

  test("is not done while the store has lost what it kept", async () => {
    const lab = await killed(/^remove/);
    lab.world.lose("store", `cards/${RUN}/a1/breaks.csv`);
    expect(await lab.fails(DATES.second, { night: "second" })).toBe("DAMAGED");
    expect(await lab.onDisk(`${RUN}/a1/breaks.csv`), "nothing was removed").not.toBeNull();
  });
});
