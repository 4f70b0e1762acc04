import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { realDisk } from "../../src/folders/disk.js";
import { faultyDisk } from "../../src/folders/faulty.js";
import { sha256Of, textBody } from "../../src/model/canonical.js";
import { faultsOf, NO_FAULT } from "../../src/model/fault.js";
import type { Key } from "../../src/model/ids.js";
import { sharedFolder } from "../../src/stores/folder-share.js";

const base = fs.mkdtempSync(join(tmpdir(), "tieout-share-"));
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

const KEY = "refunds/2026-08-10/breaks.csv" as Key;
const BODY = textBody("id\nA\n");
let made = 0;
function room(): string {
  const dir = join(base, String(++made));
  fs.mkdirSync(dir);
  return dir;
}
const names = (dir: string): string[] =>
  fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .flatMap((e) => (e.isFile() ? e.name : []));

test("a copy is a plain read-only file of that name, with nothing beside it", async () => {
  const dir = room();
  const { mine, stored } = await sharedFolder(dir).create(KEY, BODY);
  expect([mine, stored.sha256]).toEqual([true, BODY.sha256]);
  expect(fs.readFileSync(join(dir, KEY), "utf8")).toBe("id\nA\n");
  expect(fs.statSync(join(dir, KEY)).mode & 0o777).toBe(0o444);
  expect(names(dir)).toEqual(["breaks.csv"]);
});

test("what is there is answered with its own hash and never replaced", async () => {
  const dir = room();
  await sharedFolder(dir).create(KEY, textBody("other\n"));
  const { mine, stored } = await sharedFolder(dir).create(KEY, BODY);
  expect([mine, stored.sha256]).toEqual([false, sha256Of("other\n")]);
  expect(fs.readFileSync(join(dir, KEY), "utf8")).toBe("other\n");
});

test("of several who copy at once one makes the file", async () => {
  const dir = room();
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, i) => sharedFolder(dir).create(KEY, textBody(`${i}\n`))),
  );
  expect(all.filter((a) => a.mine)).toHaveLength(1);
  expect(new Set(all.map((a) => a.stored.sha256)).size).toBe(1);
});

test("a folder that is absent is never made", async () => {
  const dir = join(base, "absent");
  await expect(sharedFolder(dir).create(KEY, BODY)).rejects.toMatchObject({ code: "STORE" });
  expect(fs.existsSync(dir)).toBe(false);
});

test("bytes that are not those announced are not copied", async () => {
  const dir = room();
  const body = { ...BODY, open: textBody("torn").open };
  await expect(sharedFolder(dir).create(KEY, body)).rejects.toMatchObject({ code: "STORE" });
  expect(names(dir)).toEqual([]);
});

test.each(["before", "after", "torn", "kill"] as const)(
  "a fault %s any call of the disk leaves no part of a copy, and the next try makes it whole",
  async (mode) => {
    const counted = faultsOf(NO_FAULT);
    await sharedFolder(room(), faultyDisk(realDisk, counted)).create(KEY, BODY);
    const calls = counted.calls.length;
    expect(calls).toBeGreaterThan(5);
    for (let nth = 1; nth <= calls; nth++) {
      const dir = room();
      const faults = faultsOf({ ...NO_FAULT, at: nth, mode });
      await sharedFolder(dir, faultyDisk(realDisk, faults))
        .create(KEY, BODY)
        .catch(() => undefined);
      for (const name of names(dir).filter((n) => !n.endsWith(".tmp")))
        expect([name, fs.readFileSync(join(dir, KEY), "utf8")]).toEqual(["breaks.csv", "id\nA\n"]);
      const { stored } = await sharedFolder(dir).create(KEY, BODY);
      expect(stored.sha256).toBe(BODY.sha256);
    }
  },
);
