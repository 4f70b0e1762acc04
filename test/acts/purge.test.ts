import { beforeEach, describe, expect, test } from "vitest";
import { extendRun } from "../../src/acts/extend.js";
import { holdRun, releaseRun } from "../../src/acts/hold.js";
import { purgeAll } from "../../src/acts/purge.js";
import type { Effects } from "../../src/effects.js";
import { purgedOf } from "../../src/model/act.js";
import { isTieout } from "../../src/model/errors.js";
import { AsOf, RelationRef } from "../../src/model/ids.js";
import type { Committed } from "../../src/model/run.js";
import { openRelation } from "../../src/queries/catalogue.js";
import { committedCatalogue } from "../../src/queries/catalogue-committed.js";
import { storedOf } from "../../src/queries/committed.js";
import { purgeable } from "../../src/queries/expired.js";
import { readLedger } from "../../src/queries/ledger.js";
import { list } from "../../src/queries/list.js";
import { objectsOf } from "../../src/queries/references.js";
import { status } from "../../src/queries/status.js";
import { trace } from "../../src/queries/trace.js";
import { DATES } from "../faults/scenes.js";
import type { Lab } from "../stages/lab.js";
import { committedLab, committedRun } from "./acting.js";

const DAY_MS = 86_400_000;
const ALL = { job: null, run: null };
const WHY = "audit of 2026";

let lab: Lab;
let run: Committed;
let fx: Effects;
beforeEach(async () => {
  ({ lab, run } = await committedLab());
  ({ fx } = lab.start("first"));
});

const pass = (days: number): void => {
  lab.world.clock.now += days * DAY_MS;
};
/** One run alone, by its id: what is the latest of its job may go then. */
const named = (of: Committed) => ({ job: null, run: of.run_id });
const purge = async (asked: Parameters<typeof purgeable>[0]) =>
  purgeAll(await purgeable(asked, fx), fx);

const data = (of: Committed) => objectsOf(of).filter((o) => o.data);
async function left(of: Committed, by: Effects): Promise<string[]> {
  const there: string[] = [];
  for (const { path, doc } of data(of))
    if ((await by.store.head(storedOf(doc).key, doc.version)) !== null) there.push(path);
  return there;
}

describe("a purge", () => {
  test("lists nothing before its time, to the millisecond of the store's clock", async () => {
    const untils = data(run).map((o) => Date.parse(o.until));
    const at = async (now: number) => {
      const store = { ...fx.store, now: async () => now };
      return (await purgeable(named(run), { store })).plans[0];
    };
    expect((await at(Math.min(...untils)))?.objects).toEqual([]);
    expect((await at(Math.max(...untils) + 1))?.objects).toHaveLength(untils.length);
  });

  test("only lists, until it is told to do it", async () => {
    pass(5000);
    const { plans } = await purgeable(named(run), fx);
    expect(plans[0]?.objects.map((o) => o.path)).toEqual(data(run).map((o) => o.path));
    expect(await left(run, fx)).toHaveLength(data(run).length);
    expect(await readLedger(run, fx)).toEqual([]);
  });

  test("removes what holds rows, leaves the words, and the ledger says what there was", async () => {
    pass(5000);
    await purge(named(run));
    expect(await left(run, fx)).toEqual([]);
    const words = objectsOf(run).filter((o) => !o.data);
    for (const { doc } of words)
      expect(await fx.store.head(storedOf(doc).key, doc.version), doc.key).not.toBeNull();
    const gone = purgedOf(await readLedger(run, fx));
    for (const { path, doc, rows } of data(run))
      expect(gone.get(path)).toMatchObject({ sha256: doc.sha256, version: doc.version, rows });
    const [again] = await purge(named(run));
    expect(again).toMatchObject({ removed: 0, objects: [], refused: [] });
    expect(await readLedger(run, fx)).toHaveLength(1);
  });

  test("takes nothing of a run on hold, and all of it once released", async () => {
    await holdRun(run, WHY, fx);
    pass(5000);
    const [held] = await purge(named(run));
    expect(held?.kept.join()).toContain(WHY);
    expect(await left(run, fx)).toHaveLength(data(run).length);
    await releaseRun(run, "closed", fx);
    await purge(named(run));
    expect(await left(run, fx)).toEqual([]);
  });

  test("honours a hold and an extension that came after the list was made", async () => {
    pass(5000);
    const listed = await purgeable(named(run), fx);
    await extendRun(run, { until: AsOf.parse("2050-01-01"), reason: WHY }, fx);
    const [extended] = await purgeAll(listed, fx);
    expect(extended?.refused.join()).toContain("2050-01-01");
    await holdRun(run, WHY, fx);
    const [held] = await purgeAll(listed, fx);
    expect(held?.refused.join()).toContain("on hold");
    expect(await left(run, fx)).toHaveLength(data(run).length);
    expect((await readLedger(run, fx)).map((a) => a.kind)).toEqual(["extend", "hold"]);
  });

  test("takes nothing that a run which is kept refers to", async () => {
    await lab.run(DATES.second, { night: "second" });
    const second = await committedRun(DATES.second, fx);
    await extendRun(second, { until: AsOf.parse("2050-01-01"), reason: WHY }, fx);
    pass(5000);
    await purge(named(run));
    const taken = second.manifest.previous.map((p) => p.key);
    const kept = data(run).filter((o) => taken.includes(o.doc.key));
    expect(kept).not.toEqual([]);
    expect(await left(run, fx)).toEqual(kept.map((o) => o.path));
    expect(await left(second, fx)).toHaveLength(data(second).length);
  });

  test("takes an input that two runs have with the last of them", async () => {
    await lab.run(DATES.second, { night: "second" });
    await lab.run(DATES.third, { night: "first" });
    const third = await committedRun(DATES.third, fx);
    pass(5000);
    const inputs = (of: Committed) => data(of).filter((o) => o.doc.key.startsWith("inputs/"));
    const [first] = await purge(named(run));
    expect(first?.shared).toHaveLength(inputs(run).length);
    expect((await left(third, fx)).length).toBe(data(third).length);
    await purge(named(third));
    expect([await left(run, fx), await left(third, fx)]).toEqual([[], []]);
  });

  test("leaves the latest run of a job that carries forward, unless it is named", async () => {
    await lab.run(DATES.second, { night: "second" });
    const second = await committedRun(DATES.second, fx);
    pass(5000);
    const done = await purge(ALL);
    expect(done.find((r) => r.run_id === second.run_id)?.kept.join()).toContain("carries forward");
    expect(await left(second, fx)).toHaveLength(data(second).length);
    expect(await left(run, fx)).toEqual([]);
  });
});

describe("what was purged", () => {
  test("is NOT_KEPT with its rows and hash, whoever asks for it; nothing of it stays cached", async () => {
    await lab.run(DATES.second, { night: "second" });
    const second = await committedRun(DATES.second, fx);
    pass(5000);
    await purge(named(run));
    for (const { path, relation, sha256, rows } of run.manifest.artefacts) {
      const read = openRelation(committedCatalogue(run, fx), RelationRef.parse(relation));
      await expect(read, path).rejects.toMatchObject({ code: "NOT_KEPT" });
      await expect(read, path).rejects.toThrow(new RegExp(`purged on .*${rows} rows, SHA-256`));
      expect(sha256).toHaveLength(64);
    }
    const previous = second.manifest.previous[0]?.name ?? "";
    const read = openRelation(
      committedCatalogue(second, fx),
      RelationRef.parse(`previous.${previous}`),
    );
    await expect(read).rejects.toMatchObject({ code: "NOT_KEPT" });
  });

  test("does not make its run damaged: it repeats with its exit code", async () => {
    pass(5000);
    await purge(named(run));
    const again = await lab.run(DATES.first, { night: "first" });
    expect(again).toMatchObject({ repeated: true, pending: null, exit: run.manifest.exit });
  });

  test("is found by status, list and trace, which say when it went and what it held", async () => {
    pass(5000);
    await purge(named(run));
    const [artefact] = run.manifest.artefacts;
    const path = artefact?.path ?? "";
    const { kept } = await status(run.run_id, fx);
    expect(kept?.purged.map((p) => p.path)).toEqual(data(run).map((o) => o.path));
    expect(kept).toMatchObject({ until: null, held: null, mode: "recorded" });
    const listed = await list(null, 10, fx);
    expect(listed.runs[0]).toMatchObject({ held: false, purged: data(run).length });
    const traced = await trace(run.run_id, path, fx);
    expect(traced.artefact).toMatchObject({ sha256: artefact?.sha256, rows: artefact?.rows });
    expect(traced.artefact?.purged).toBe(kept?.acts[0]?.at);
    expect(traced.steps.map((s) => s.sql)).not.toEqual([]);
  });

  test("is not carried forward in silence", async () => {
    pass(5000);
    await purge(named(run));
    expect(await lab.fails(DATES.second, { night: "second" })).toBe("NOT_KEPT");
  });
});

test("a purge that failed at any call took nothing that no ledger names, and is finished by doing it again", async () => {
  for (const mode of ["before", "after"] as const) {
    for (let at = 1, clean = false; !clean; at++) {
      const { lab, run } = await committedLab();
      const whole = lab.start("first").fx;
      lab.world.clock.now += 5000 * DAY_MS;
      const trouble = { plan: { at, mode, times: "onward" }, hits: "store" } as const;
      const { fx: failing, faults } = lab.start("first", { trouble });
      const attempt = async (by: Effects) => purgeAll(await purgeable(named(run), by), by);
      await attempt(failing).catch((e: unknown) => {
        if (!isTieout(e, "UNKNOWN")) throw e;
      });
      const there = await left(run, whole);
      const said = purgedOf(await readLedger(run, whole));
      for (const { path } of data(run))
        expect(there.includes(path) || said.has(path), `${mode} ${at} ${path}`).toBe(true);
      const purged = await attempt(whole);
      expect(purged[0]?.refused).toEqual([]);
      expect(await left(run, whole), `${mode} ${at}`).toEqual([]);
      expect((await readLedger(run, whole)).map((a) => a.kind)).toEqual(["purge"]);
      clean = faults.failed === null;
    }
  }
});
