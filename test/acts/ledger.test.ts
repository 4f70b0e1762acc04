import { describe, expect, test } from "vitest";
import { appendAct } from "../../src/acts/ledger.js";
import { Act } from "../../src/model/act.js";
import { documentText, sha256Of } from "../../src/model/canonical.js";
import { isTieout } from "../../src/model/errors.js";
import { RunId } from "../../src/model/ids.js";
import { runKeys } from "../../src/model/layout.js";
import { readLedger } from "../../src/queries/ledger.js";
import { diceOf, interleaved } from "../faults/turns.js";
import { committedLab, RUN } from "./acting.js";

const REASON = { reason: "audit of 2026" };
const keyAt = (seq: number) => runKeys(RUN).act(seq);

async function three() {
  const { lab, run } = await committedLab();
  const { fx } = lab.start("first", { owner: "one" });
  await appendAct(run, "hold", REASON, fx);
  await appendAct(run, "release", { reason: "done" }, fx);
  await appendAct(run, "supersede", { by: RunId.parse(`${RUN}-r2`) }, fx);
  return { lab, run, fx };
}

describe("the ledger of a run", () => {
  test("begins at the manifest, and each act names the one before by its bytes", async () => {
    const { lab, run, fx } = await three();
    const acts = await readLedger(run, fx);
    expect(acts.map(({ seq, kind, by }) => [seq, kind, by])).toEqual([
      [1, "hold", "one"],
      [2, "release", "one"],
      [3, "supersede", "one"],
    ]);
    expect(acts[0]?.prev).toBe(run.commit.manifest.sha256);
    for (const seq of [2, 3])
      expect(acts[seq - 1]?.prev).toBe(sha256Of(await lab.stored(keyAt(seq - 1))));
  });

  test.each([1, 2])("with act %i lost or changed is damaged, and says which", async (seq) => {
    for (const harm of ["lose", "rot"] as const) {
      const { lab, run, fx } = await three();
      lab.world[harm]("store", keyAt(seq));
      const read = readLedger(run, fx);
      await expect(read).rejects.toMatchObject({ code: "DAMAGED", at: { seq } });
      const append = appendAct(run, "hold", REASON, fx);
      await expect(append).rejects.toMatchObject({ code: "DAMAGED", at: { seq } });
    }
  });

  test("with an entry rewritten whole is damaged at the next one, which names other bytes", async () => {
    const { lab, run, fx } = await three();
    const entry = Act.parse(JSON.parse(await lab.stored(keyAt(1))));
    const forged = documentText({ ...entry, detail: { reason: "nothing happened" } });
    const store = { ...fx.store };
    store.text = async (key, version) => (key === keyAt(1) ? forged : fx.store.text(key, version));
    const read = readLedger(run, { store });
    await expect(read).rejects.toMatchObject({ code: "DAMAGED", at: { seq: 2 } });
  });

  test("of a run restated under the same id is damaged at its first act", async () => {
    const { run, fx } = await three();
    const manifest = { ...run.commit.manifest, sha256: sha256Of("another manifest") };
    const read = readLedger({ ...run, commit: { ...run.commit, manifest } }, fx);
    await expect(read).rejects.toMatchObject({ code: "DAMAGED", at: { seq: 1 } });
  });

  test("is read by later versions that say more, and written with no field that nobody knows", async () => {
    const { lab, run, fx } = await three();
    const entry = JSON.parse(await lab.stored(keyAt(3)));
    expect(Act.parse({ ...entry, color: "red" })).toEqual(entry);
    const odd = { ...REASON, color: "red" };
    await expect(appendAct(run, "hold", odd, fx)).rejects.toThrow("no such field");
    expect(await readLedger(run, fx)).toHaveLength(3);
  });

  test("keeps every act of two who write at once: no fork, no gap, whatever their order", async () => {
    for (let seed = 0; seed < 50; seed++) {
      const { lab, run } = await committedLab();
      const writer = (owner: string) => async (turn: () => Promise<void>) => {
        const { fx } = lab.start("first", { owner, before: turn });
        for (const reason of ["a reason", "another"]) await appendAct(run, "hold", { reason }, fx);
      };
      await interleaved([writer("one"), writer("two")], diceOf(seed));
      const acts = await readLedger(run, lab.start("first").fx);
      expect(
        acts.map((a) => a.seq),
        `seed ${seed}`,
      ).toEqual([1, 2, 3, 4]);
      expect(acts.map((a) => a.by).sort(), `seed ${seed}`).toEqual(["one", "one", "two", "two"]);
    }
  });

  test("has an act once, whichever call failed before or after its effect", async () => {
    for (const mode of ["before", "after"] as const) {
      for (let at = 1, clean = false; !clean; at++) {
        const { lab, run } = await committedLab();
        const trouble = { plan: { at, mode, times: "once" }, hits: "store" } as const;
        const { fx, faults } = lab.start("first", { owner: "one", trouble });
        await appendAct(run, "hold", REASON, fx).catch((e: unknown) => {
          if (!isTieout(e, "UNKNOWN")) throw e;
        });
        await appendAct(run, "hold", REASON, lab.start("first", { owner: "one" }).fx);
        const acts = await readLedger(run, lab.start("first").fx);
        expect(
          acts.map((a) => a.kind),
          `${mode} call ${at}`,
        ).toEqual(["hold"]);
        clean = faults.failed === null;
      }
    }
  });
});
