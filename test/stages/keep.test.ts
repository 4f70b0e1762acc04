import { expect, test } from "vitest";
import { textBody } from "../../src/model/canonical.js";
import type { FaultPlan } from "../../src/model/fault.js";
import type { Key } from "../../src/model/ids.js";
import { createKnowing, keep } from "../../src/stages/keep.js";
import { openLab } from "./lab.js";

const KEY = "cards/a/b.json" as Key;
const [OURS, THEIRS] = [textBody("ours"), textBody("theirs")];

/** A store of which one call fails, and the same store whole. */
async function store(plan: FaultPlan, hits: "store" | "creates" = "store") {
  const lab = await openLab();
  const failing = lab.start("first", { trouble: { plan, hits } });
  return { broken: failing.fx, calls: failing.faults.calls, whole: lab.start("first").fx };
}
const at = (n: number, mode: FaultPlan["mode"], times: FaultPlan["times"] = "once"): FaultPlan => ({
  at: n,
  mode,
  times,
});

test("kept twice is kept once, and other bytes under the key are damage", async () => {
  const { whole } = await store(at(0, "before"));
  const first = await keep(KEY, OURS, {}, whole);
  expect(await keep(KEY, OURS, {}, whole)).toEqual(first);
  await expect(keep(KEY, THEIRS, {}, whole)).rejects.toMatchObject({ code: "DAMAGED" });
});

test("a create whose answer was lost is ours when the store has our bytes", async () => {
  const { broken } = await store(at(1, "after"));
  expect(await createKnowing(KEY, OURS, {}, broken)).toMatchObject({ mine: true });
});

test("a create whose answer was lost is not ours when the store has other bytes", async () => {
  const { broken, whole } = await store(at(1, "before"));
  await keep(KEY, THEIRS, {}, whole);
  expect(await createKnowing(KEY, OURS, {}, broken)).toMatchObject({ mine: false });
});

test("a request that was lost, or a store that never answers, is UNKNOWN and never no", async () => {
  for (const plan of [at(1, "before"), at(1, "before", "onward"), at(1, "after", "onward")]) {
    const { broken } = await store(plan);
    await expect(createKnowing(KEY, OURS, {}, broken)).rejects.toMatchObject({ code: "UNKNOWN" });
  }
});

test("a store that refuses is told as it is: nothing is asked again", async () => {
  const { broken, calls } = await store(at(1, "before"), "creates");
  await expect(keep(KEY, OURS, {}, broken)).rejects.toMatchObject({ code: "STORE" });
  expect(calls, "only the create").toHaveLength(1);
});

test("a refusal of an object with exactly our bytes is ours: a proxy may have asked twice", async () => {
  const { whole } = await store(at(0, "before"));
  const { stored } = await whole.store.create(KEY, OURS);
  const refusing = { store: { ...whole.store, create: async () => ({ mine: false, stored }) } };
  expect((await createKnowing(KEY, OURS, {}, refusing)).mine).toBe(true);
  expect((await createKnowing(KEY, THEIRS, {}, refusing)).mine).toBe(false);
});
