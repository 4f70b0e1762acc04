import { describe, expect, test } from "vitest";
import { extendRun } from "../../src/acts/extend.js";
import { holdRun, releaseRun } from "../../src/acts/hold.js";
import type { Effects } from "../../src/effects.js";
import { heldOf } from "../../src/model/act.js";
import { isTieout } from "../../src/model/errors.js";
import { AsOf } from "../../src/model/ids.js";
import type { Committed } from "../../src/model/run.js";
import { storedOf } from "../../src/queries/committed.js";
import { readLedger } from "../../src/queries/ledger.js";
import { objectsOf } from "../../src/queries/references.js";
import type { Retention } from "../../src/stores/store.js";
import { diceOf, interleaved } from "../faults/turns.js";
import { committedLab, committedRun } from "./acting.js";

const WHY = "audit of 2026";

async function retentions(run: Committed, fx: Effects): Promise<Retention[]> {
  return Promise.all(objectsOf(run).map(({ doc }) => fx.store.retention(storedOf(doc))));
}

/** Whether all objects are on hold, none is, or something between. */
async function heldIn(run: Committed, fx: Effects): Promise<boolean | "some"> {
  const held = new Set((await retentions(run, fx)).map((r) => r.held));
  return held.size === 1 ? held.has(true) : "some";
}

async function kinds(run: Committed, fx: Effects): Promise<string[]> {
  return (await readLedger(run, fx)).map((act) => act.kind);
}

describe("a hold", () => {
  test("is on the ledger and on every object, its commit and inputs included, until released", async () => {
    const { lab, run } = await committedLab();
    const { fx } = lab.start("first");
    expect(await holdRun(run, WHY, fx)).toBe(true);
    expect(await heldIn(run, fx)).toBe(true);
    expect(heldOf(await readLedger(run, fx))?.reasons).toEqual([WHY]);
    const paths = objectsOf(run).map(({ doc }) => doc.key);
    expect(paths.filter((key) => key.startsWith("inputs/"))).not.toEqual([]);
    expect(paths.filter((key) => key.endsWith("/committed.json"))).toHaveLength(1);
    expect(await releaseRun(run, "closed", fx)).toBe(true);
    expect(await heldIn(run, fx)).toBe(false);
  });

  test("for the same reason, and the release of what is not held, are no news", async () => {
    const { lab, run } = await committedLab();
    const { fx } = lab.start("first");
    await holdRun(run, WHY, fx);
    expect(await holdRun(run, WHY, lab.start("first").fx)).toBe(false);
    expect(await holdRun(run, "a second reason", fx)).toBe(true);
    expect(heldOf(await readLedger(run, fx))?.reasons).toEqual([WHY, "a second reason"]);
    await releaseRun(run, "closed", fx);
    expect(await releaseRun(run, "closed", lab.start("first").fx)).toBe(false);
    expect(await kinds(run, fx)).toEqual(["hold", "hold", "release"]);
  });

  test("of another run keeps its hold on an input that both have", async () => {
    const { lab, run } = await committedLab();
    await lab.run("2026-08-10", { night: "second" });
    await lab.run("2026-08-17", { night: "first" });
    const { fx } = lab.start("first");
    const later = await committedRun("2026-08-17", fx);
    await holdRun(run, WHY, fx);
    await holdRun(later, WHY, fx);
    await releaseRun(run, "closed", fx);
    expect(await heldIn(run, fx)).toBe("some");
    expect(await heldIn(later, fx)).toBe(true);
    await releaseRun(later, "closed", fx);
    expect([await heldIn(run, fx), await heldIn(later, fx)]).toEqual([false, false]);
  });

  test("and a release at once end as the ledger says, in whatever order", async () => {
    for (let seed = 0; seed < 25; seed++) {
      const { lab, run } = await committedLab();
      await holdRun(run, "first", lab.start("first").fx);
      const of = (act: typeof holdRun) => async (turn: () => Promise<void>) => {
        await act(run, WHY, lab.start("first", { before: turn }).fx);
      };
      await interleaved([of(holdRun), of(releaseRun)], diceOf(seed));
      const { fx } = lab.start("first");
      const says = heldOf(await readLedger(run, fx)) !== null;
      expect(await heldIn(run, fx), `seed ${seed}`).toBe(says);
    }
  });

  test.each([
    ["hold", holdRun, true],
    ["release", releaseRun, false],
  ] as const)("a %s that failed at any call is finished by doing it again", async (_, act, on) => {
    for (const mode of ["before", "after"] as const) {
      for (let at = 1, clean = false; !clean; at++) {
        const { lab, run } = await committedLab();
        const whole = lab.start("first").fx;
        if (!on) await holdRun(run, "first", whole);
        const trouble = { plan: { at, mode, times: "onward" }, hits: "store" } as const;
        const { fx, faults } = lab.start("first", { trouble });
        await act(run, WHY, fx).catch(ended);
        const told = (await retentions(run, whole)).some((r) => r.held === on);
        const said = (heldOf(await readLedger(run, whole)) !== null) === on;
        expect(said || !told, `${mode} ${at}: on the ledger first`).toBe(true);
        await act(run, WHY, whole);
        expect(await heldIn(run, whole), `${mode} ${at}`).toBe(on);
        expect(await kinds(run, whole)).toEqual(on ? ["hold"] : ["hold", "release"]);
        clean = faults.failed === null;
      }
    }
  });
});

describe("an extension", () => {
  const LATER = AsOf.parse("2040-12-31");
  const extend = (run: Committed, until: AsOf, fx: Effects) =>
    extendRun(run, { until, reason: WHY }, fx);

  test("keeps every object to the end of the day, and never shortens", async () => {
    const { lab, run } = await committedLab();
    const { fx } = lab.start("first");
    expect(await extend(run, LATER, fx)).toBe(true);
    expect(await extend(run, AsOf.parse("2030-01-01"), fx)).toBe(false);
    expect(await extend(run, LATER, fx)).toBe(false);
    const untils = (await retentions(run, fx)).map((r) => r.until);
    expect(new Set(untils)).toEqual(new Set(["2040-12-31T23:59:59.999Z"]));
    expect(await kinds(run, fx)).toEqual(["extend"]);
  });

  test("reaches what the run took from the one before, and the documents that prove it", async () => {
    const { lab, run } = await committedLab();
    await lab.run("2026-08-10", { night: "second" });
    const { fx } = lab.start("first");
    const later = await committedRun("2026-08-10", fx);
    await extend(later, LATER, fx);
    const until = async (path: string) => {
      const found = objectsOf(run).find((o) => o.path === path);
      if (found === undefined) throw new Error(`no ${path}`);
      return (await fx.store.retention(storedOf(found.doc))).until;
    };
    const taken = later.manifest.previous.map((p) => p.path ?? "");
    expect(taken).not.toEqual([]);
    for (const path of [...taken, "manifest.json", "receipts.json", "committed.json"])
      expect(await until(path), path).toBe("2040-12-31T23:59:59.999Z");
  });

  test("that failed at any call is finished by doing it again, and nothing is ever kept shorter", async () => {
    for (const mode of ["before", "after"] as const) {
      for (let at = 1, clean = false; !clean; at++) {
        const { lab, run } = await committedLab();
        const whole = lab.start("first").fx;
        const before = (await retentions(run, whole)).map((r) => Date.parse(r.until ?? ""));
        const trouble = { plan: { at, mode, times: "onward" }, hits: "store" } as const;
        const { fx, faults } = lab.start("first", { trouble });
        await extend(run, LATER, fx).catch(ended);
        const after = (await retentions(run, whole)).map((r) => Date.parse(r.until ?? ""));
        for (const [i, instant] of after.entries())
          expect(instant, `${mode} ${at}`).toBeGreaterThanOrEqual(before[i] ?? Number.NaN);
        await extend(run, LATER, whole);
        const untils = (await retentions(run, whole)).map((r) => r.until);
        expect(new Set(untils)).toEqual(new Set(["2040-12-31T23:59:59.999Z"]));
        expect(await kinds(run, whole)).toEqual(["extend"]);
        clean = faults.failed === null;
      }
    }
  });
});

function ended(e: unknown): void {
  if (!isTieout(e, "UNKNOWN")) throw e;
}
