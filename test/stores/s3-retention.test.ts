import { afterEach, describe, expect, test } from "vitest";
import { textBody } from "../../src/model/canonical.js";
import type { Key } from "../../src/model/ids.js";
import { s3Store } from "../../src/stores/s3.js";
import { splitStore } from "../../src/stores/split.js";
import { double } from "../double/server.js";
import { type Laboratory, laboratory, optionsFor } from "./s3-bench.js";

const key = "refunds/refunds-2026-08-10/a1/discrepancies.csv" as Key;
const DAY_MS = 86_400_000;
let lab: Laboratory | null = null;
afterEach(async () => {
  await lab?.server.close();
  lab = null;
});

for (const lock of [false, true])
  describe(`retention ${lock ? "by Object Lock" : "as recorded"}`, () => {
    const mode = lock ? "governance" : "recorded";

    test("is extended only, and nothing is removed before its end or while it is held", async () => {
      let ahead = 0;
      lab = await laboratory({ lock }, { now: () => Date.now() + ahead });
      const { store } = lab;
      const { stored } = await store.create(key, textBody("4118.62"));
      const until = new Date(Math.ceil(((await store.now()) + DAY_MS) / 1000) * 1000).toISOString();
      const kept = { until, mode, held: false };
      expect(await store.retain(stored, until)).toEqual(kept);
      expect(await store.retain(stored, "2026-01-01T00:00:00.000Z")).toEqual(kept);
      await expect(store.remove(stored)).rejects.toMatchObject({ code: "RETAINED", subject: key });
      expect(await store.hold(stored, true)).toEqual({ ...kept, held: true });
      ahead = 2 * DAY_MS;
      await expect(store.remove(stored)).rejects.toMatchObject({ code: "RETAINED" });
      await store.hold(stored, false);
      await store.remove(stored);
      await store.remove(stored);
      expect(await store.head(key, stored.version)).toBeNull();
      expect(lab.bucket.objects.size).toBe(0);
    });

    test("of what is absent is STORE", async () => {
      lab = await laboratory({ lock });
      const { stored } = await lab.store.create(key, textBody("x"));
      lab.bucket.objects.clear();
      const absent = { code: "STORE", subject: key };
      await expect(lab.store.retention(stored)).rejects.toMatchObject(absent);
      await expect(lab.store.hold(stored, true)).rejects.toMatchObject(absent);
    });
  });

test("extensions and holds of several at once are all kept", async () => {
  lab = await laboratory({});
  const { store } = lab;
  const { stored } = await store.create(key, textBody("x"));
  const days = [5, 1, 9, 3];
  const at = (day: number): string => `2030-01-0${day}T00:00:00.000Z`;
  await Promise.all([
    ...days.map((day) => store.retain(stored, at(day))),
    store.hold(stored, true),
  ]);
  expect(await store.retention(stored)).toEqual({ until: at(9), mode: "recorded", held: true });
});

test("a server that accepts a longer lock and keeps none is found out", async () => {
  lab = await laboratory({ lock: true }, { quirks: { lax_lock: true } });
  const { stored } = await lab.store.create(key, textBody("x"));
  const until = new Date(Date.now() + DAY_MS).toISOString();
  const found = { code: "STORE", message: expect.stringContaining("does not say so") };
  await expect(lab.store.retain(stored, until)).rejects.toMatchObject(found);
});

test("a split store keeps what one caller may create apart, and lists both as one", async () => {
  const server = await double();
  const [data, board] = [
    server.bucket("evidence", { versioned: true }),
    server.bucket("board", {}),
  ];
  const options = optionsFor(server, false);
  const store = splitStore(
    s3Store(options),
    s3Store({ ...options, bucket: "board", prefix: "control" }),
  );
  const run = "refunds/refunds-2026-08-10";
  const control = [
    `${run}/claims/a1/000001.json`,
    `${run}/committed.json`,
    `${run}/ledger/000001.json`,
  ];
  const rest = [`${run}/a1/manifest.json`, "inputs/aa"];
  for (const k of [...control, ...rest]) await store.create(k as Key, textBody(k));
  expect([...board.objects.keys()].sort()).toEqual(control.map((k) => `control/${k}`).sort());
  expect([...data.objects.keys()].sort()).toEqual(rest.map((k) => `fin/nightly/${k}`).sort());
  expect(await store.list("" as Key)).toEqual([...control, ...rest].sort());
  expect(await store.list(`${run}/claims/` as Key)).toEqual(control.slice(0, 1));
  await server.close();
});
