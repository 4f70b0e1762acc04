import { expect, test } from "vitest";
import type { Key } from "../../src/model/ids.js";
import { runKeys } from "../../src/model/layout.js";
import type { Amount } from "../../src/model/progress.js";
import { Receipts } from "../../src/model/records.js";
import { hold } from "../../src/stages/stage.js";
import { walk } from "../../src/stages/walk.js";
import type { Store } from "../../src/stores/store.js";
import { DATES, heldRun } from "../faults/scenes.js";
import { type Lab, openLab } from "./lab.js";

/** A store in which the creates of parcels end in the opposite order, as far as it is let. */
function backwards(store: Store): { store: Store; most: () => number } {
  let [under_way, most] = [0, 0];
  const create: Store["create"] = async (key, body, tags) => {
    if (/committed|claims|receipts|manifest/.test(key)) return store.create(key, body, tags);
    most = Math.max(most, ++under_way);
    for (let turns = 40 - 8 * under_way; turns > 0; turns--) await Promise.resolve();
    try {
      return await store.create(key, body, tags);
    } finally {
      under_way -= 1;
    }
  };
  return { store: { ...store, create }, most: () => most };
}

async function walked(lab: Lab, change: (store: Store) => Store = (s) => s) {
  const { fx, faults } = lab.start("first", { owner: "one" });
  const told: { path: string; done: number; of: number; amount: Amount }[] = [];
  const stage = (name: string, path: string, done: number, of: number, amount: Amount = {}) => {
    if (name === "extract") told.push({ path, done, of, amount });
  };
  const held = heldRun(lab.loaded, DATES.first);
  await walk(hold(held), { ...fx, store: change(fx.store), progress: { stage } });
  const receipts = await lab.stored(runKeys(held.run_id).receipts(1));
  return { receipts: Receipts.parse(JSON.parse(receipts)).receipts, told, calls: faults.calls };
}

test("receipts are in the manifest's order, whichever parcel arrives first, four under way at most", async () => {
  const plain = await walked(await openLab());
  let most = (): number => 0;
  const mixed = await walked(await openLab(), (store) => {
    const made = backwards(store);
    most = made.most;
    return made.store;
  });
  expect(mixed.receipts).toEqual(plain.receipts);
  expect(most()).toBe(4);
});

test("a walk makes the same calls in the same order each time, though parcels go side by side", async () => {
  const [one, other] = [await walked(await openLab()), await walked(await openLab())];
  expect(other.calls).toEqual(one.calls);
});

test("progress tells the bytes kept of all, and never less than before", async () => {
  const { told, receipts } = await walked(await openLab());
  const of_bytes = receipts.reduce((sum, r) => sum + r.size_bytes, 0);
  const sizes = told.map(({ amount }) => amount.size_bytes ?? -1);
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  expect(sizes[0]).toBe(0);
  expect(new Set(told.map(({ path }) => path))).toEqual(new Set(receipts.map((r) => r.path)));
  for (const { done, of, amount } of told) {
    expect(amount.of_bytes).toBe(of_bytes);
    expect(of).toBe(receipts.length);
    expect(done).toBeLessThan(of);
  }
});

test("of parcels that fail the first failure is told, and none is begun after it", async () => {
  const lab = await openLab();
  const begun: string[] = [];
  const failing = (store: Store): Store => ({
    ...store,
    create: async (key, body, tags) => {
      if (!/\/a1\//.test(key) || key.includes("claims")) return store.create(key, body, tags);
      begun.push(key);
      throw new Error(`the ${begun.length}th`);
    },
  });
  await expect(walked(lab, failing)).rejects.toThrow("the 1th");
  expect(begun.filter((key) => !/failure|journal|records/.test(key)).length).toBeLessThan(5);
});

test("an input that an earlier run kept too is kept from before the commit, so that no purge takes it", async () => {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  const { store } = lab.start("first").fx;
  const [key] = await store.list("inputs/" as Key);
  const input = key === undefined ? null : await store.head(key);
  if (input === null) throw new Error("no input was kept");
  await lab.run(DATES.second, { night: "second" });
  lab.world.clock.now = Date.parse((await store.retention(input)).until ?? "") + 1000;
  const before = async (_: number, call: string): Promise<void> => {
    if (/^create .*committed\.json$/.test(call)) throw new Error("the process is gone");
  };
  await expect(lab.run(DATES.third, { night: "first", before })).rejects.toThrow("gone");
  await expect(store.remove(input)).rejects.toMatchObject({ code: "RETAINED" });
});
