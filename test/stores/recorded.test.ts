import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { textBody } from "../../src/model/canonical.js";
import type { Key } from "../../src/model/ids.js";
import { directoryStore } from "../../src/stores/dir.js";
import { memoryStore } from "../../src/stores/memory.js";
import { unsyncedDisk } from "../folders/unsynced.js";

const KEY = "refunds/a.csv" as Key;
const UNTIL = "2026-08-10T00:00:00.000Z";
const dir = mkdtempSync(join(tmpdir(), "tieout-retention-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const clock = { now: 0 };
const STORES = {
  directory: () => directoryStore(dir, { disk: unsyncedDisk, clock: () => clock.now }),
  memory: () => memoryStore(undefined, () => clock.now),
};

describe.each(Object.entries(STORES))("in a store in %s,", (_, open) => {
  test("the last instant of a retention still keeps, the one after it does not", async () => {
    const store = open();
    const { stored } = await store.create(KEY, textBody("x"));
    await store.retain(stored, UNTIL);
    clock.now = Date.parse(UNTIL);
    await expect(store.remove(stored)).rejects.toMatchObject({ code: "RETAINED" });
    clock.now += 1;
    await store.remove(stored);
    expect(await store.head(KEY)).toBeNull();
  });

  test("a key that was removed may be made again, and its new object is kept by nothing", async () => {
    const store = open();
    clock.now = 0;
    const { stored } = await store.create(KEY, textBody("y"));
    await store.retain(stored, UNTIL);
    clock.now = Date.parse(UNTIL) + 1;
    await store.remove(stored);
    const again = await store.create(KEY, textBody("y"));
    expect(again.mine).toBe(true);
    expect(await store.retention(again.stored)).toEqual({
      until: null,
      held: false,
      mode: "recorded",
    });
    await store.remove(again.stored);
  });
});

test("a document of a retention that is lost never shortens what is kept", async () => {
  const apart = mkdtempSync(join(tmpdir(), "tieout-lost-"));
  const store = directoryStore(apart, { disk: unsyncedDisk, clock: () => clock.now });
  const { stored } = await store.create("refunds/b.csv" as Key, textBody("x"));
  for (const year of [2027, 2028, 2029]) await store.retain(stored, `${year}-01-01T00:00:00.000Z`);
  rmSync(join(apart, ".retention/refunds/b.csv", stored.version, "000001.json"));
  clock.now = Date.parse("2028-06-01T00:00:00Z");
  for (const call of [
    () => store.retention(stored),
    () => store.retain(stored, "2030-01-01T00:00:00.000Z"),
    () => store.remove(stored),
  ])
    await expect(call()).rejects.toMatchObject({ code: "DAMAGED" });
  expect(await store.text(stored.key)).toBe("x");
  rmSync(apart, { recursive: true });
});

test("a removal that was cut short is finished by the next one", async () => {
  const store = STORES.directory();
  clock.now = 0;
  const { stored } = await store.create("refunds/c.csv" as Key, textBody("x"));
  await store.retain(stored, UNTIL);
  rmSync(join(dir, "refunds/c.csv"));
  await store.remove(stored);
  expect(existsSync(join(dir, ".retention/refunds/c.csv", stored.version))).toBe(false);
});

test("of a removed object a directory store leaves no file", async () => {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((e) =>
    e.isFile(),
  );
  expect(files.map((f) => f.name)).toEqual([]);
  expect(existsSync(dir)).toBe(true);
});

test("without another clock a directory store goes by its disk's", async () => {
  const before = Date.now() - 10_000;
  const now = await directoryStore(dir).now();
  expect(now).toBeGreaterThan(before);
  expect(now).toBeLessThan(Date.now() + 10_000);
});
