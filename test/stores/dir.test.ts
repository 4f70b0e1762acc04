import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { realDisk } from "../../src/folders/disk.js";
import { faultyDisk } from "../../src/folders/faulty.js";
import { localFolder } from "../../src/folders/local.js";
import { sha256Of, textBody } from "../../src/model/canonical.js";
import { type Faults, faultsOf, NO_FAULT } from "../../src/model/fault.js";
import type { Key, Path } from "../../src/model/ids.js";
import { directoryStore } from "../../src/stores/dir.js";
import type { Store } from "../../src/stores/store.js";
import { storeContract } from "../store.contract.js";

const base = fs.mkdtempSync(join(tmpdir(), "tieout-store-"));
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

let made = 0;
function room(): { dir: string; cache: string } {
  const dir = join(base, String(++made), "store");
  const cache = join(base, String(made), "cache");
  fs.mkdirSync(cache, { recursive: true });
  return { dir, cache };
}

/** Flips a bit and sets the time back, as a disk that rots does. */
function rot(path: string): void {
  const { atimeMs, mtimeMs } = fs.statSync(path);
  const bytes = fs.readFileSync(path);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  fs.chmodSync(path, 0o644);
  fs.writeFileSync(path, bytes);
  fs.utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
}

describe("directory store", () => {
  storeContract(() => {
    const { dir, cache } = room();
    return {
      store: directoryStore(dir),
      damage: (key) => rot(join(dir, key)),
      lose: (key) => fs.rmSync(join(dir, key)),
      to: (name) => join(cache, name) as Path,
      read: (path) => (fs.existsSync(path) ? fs.readFileSync(path) : null),
    };
  });
});

describe("directory store on its disk", () => {
  const key = "refunds/refunds-2026-08-10/a1/discrepancies.csv" as Key;
  let dir: string;
  let cache: string;
  let store: Store;
  let sidecar: string;
  beforeEach(() => {
    ({ dir, cache } = room());
    store = directoryStore(dir);
    sidecar = join(dir, ".tieout", `${key}.json`);
  });

  function traced(): { store: Store; faults: Faults } {
    const faults = faultsOf(NO_FAULT);
    return { store: directoryStore(dir, { disk: faultyDisk(realDisk, faults) }), faults };
  }
  const readsOf = (faults: Faults): string[] =>
    faults.calls.filter((call) => /^(hash|read|readFile) /.test(call) && !call.includes(".tieout"));

  test("an object is a plain file that sha256sum checks, mode 0444", async () => {
    const { stored } = await store.create(key, textBody("a\n1\n"));
    expect(fs.statSync(join(dir, key)).mode & 0o777).toBe(0o444);
    const sums = `${stored.sha256}  discrepancies.csv\n`;
    const options = { cwd: dirname(join(dir, key)), input: sums, encoding: "utf8" as const };
    expect(execFileSync("sha256sum", ["-c", "-"], options)).toBe("discrepancies.csv: OK\n");
  });

  test("a prefix is a folder of its own: stores side by side do not see each other", async () => {
    const left = directoryStore(dir, { prefix: "left" });
    const right = directoryStore(dir, { prefix: "right" });
    await left.create("a" as Key, textBody("x"));
    expect(await left.list("" as Key)).toEqual(["a"]);
    expect(await right.list("" as Key)).toEqual([]);
    expect(fs.existsSync(join(dir, "left", "a"))).toBe(true);
  });

  test("the sidecar says what was stored and under which tags", async () => {
    const body = textBody("x");
    await store.create(key, body, { job: "refunds" });
    expect(JSON.parse(fs.readFileSync(sidecar, "utf8"))).toEqual({
      sha256: body.sha256,
      size_bytes: 1,
      version: body.sha256.slice(0, 16),
      mtime_ms: fs.statSync(join(dir, key)).mtimeMs,
      tags: { job: "refunds" },
    });
  });

  test("head reads no byte of an object that nobody touched", async () => {
    const { stored } = await store.create(key, textBody("x"));
    const t = traced();
    expect(await t.store.head(key)).toEqual(stored);
    expect(readsOf(t.faults)).toEqual([]);
  });

  test("an object without its sidecar is synced and hashed once, then remembered", async () => {
    const { stored } = await store.create(key, textBody("x"));
    fs.rmSync(sidecar);
    const first = traced();
    expect(await first.store.head(key)).toEqual(stored);
    expect(first.faults.calls).toContain(`sync ${dirname(join(dir, key))}`);
    expect(readsOf(first.faults)).toHaveLength(1);
    const second = traced();
    expect(await second.store.head(key)).toEqual(stored);
    expect(readsOf(second.faults)).toEqual([]);
  });

  test("a sidecar that is half written counts as none", async () => {
    const { stored } = await store.create(key, textBody("x"));
    fs.chmodSync(sidecar, 0o644);
    fs.writeFileSync(sidecar, '{"sha256": "ab');
    expect(await store.head(key)).toEqual(stored);
    expect(await store.text(key)).toBe("x");
    expect(JSON.parse(fs.readFileSync(sidecar, "utf8")).sha256).toBe(stored.sha256);
  });

  test("a touched object is hashed again: the same bytes are remembered with their tags", async () => {
    const { stored } = await store.create(key, textBody("x"), { job: "refunds" });
    fs.utimesSync(join(dir, key), 1, 1);
    expect(await store.head(key)).toEqual(stored);
    const t = traced();
    expect(await t.store.head(key)).toEqual(stored);
    expect(readsOf(t.faults)).toEqual([]);
    expect(JSON.parse(fs.readFileSync(sidecar, "utf8")).tags).toEqual({ job: "refunds" });
  });

  test("whoever mends beside a creator that still runs, the creator's tags are what stays", async () => {
    const tags = (): unknown => JSON.parse(fs.readFileSync(sidecar, "utf8")).tags;
    const mendsFirst = directoryStore(dir, {
      disk: {
        ...realDisk,
        rename: async (from, to) => {
          await store.head(key);
          await realDisk.rename(from, to);
        },
      },
    });
    await mendsFirst.create(key, textBody("x"), { job: "refunds" });
    expect(tags()).toEqual({ job: "refunds" });
    const text = fs.readFileSync(sidecar);
    fs.rmSync(sidecar);
    const mendsLast = directoryStore(dir, {
      disk: {
        ...realDisk,
        hash: async (path) => {
          if (path === join(dir, key)) fs.writeFileSync(sidecar, text);
          return realDisk.hash(path);
        },
      },
    });
    expect(await mendsLast.head(key)).toEqual(await store.head(key));
    expect(tags()).toEqual({ job: "refunds" });
  });

  test("head says the hash of bytes that were changed, and never takes them for the stored", async () => {
    const { stored } = await store.create(key, textBody("4118.62"));
    fs.chmodSync(join(dir, key), 0o644);
    fs.writeFileSync(join(dir, key), "4118.63");
    fs.utimesSync(join(dir, key), 1, 1);
    for (let times = 0; times < 2; times++)
      expect(await store.head(key, stored.version)).toEqual({
        ...stored,
        sha256: sha256Of("4118.63"),
      });
    await expect(store.text(key)).rejects.toMatchObject({ code: "DAMAGED", subject: key });
  });

  test("a key cannot be a folder of other keys too", async () => {
    await store.create("a/b" as Key, textBody("x"));
    const refused = { code: "STORE" };
    await expect(store.create("a" as Key, textBody("x"))).rejects.toMatchObject(refused);
    await expect(store.create("a/b/c" as Key, textBody("x"))).rejects.toMatchObject(refused);
    expect(await store.head("a" as Key)).toBeNull();
    expect(await store.head("a/b/c" as Key)).toBeNull();
    expect(await store.list("" as Key)).toEqual(["a/b"]);
  });

  test("in a file, not a folder, a create is refused with the setting to mend", async () => {
    const { dir: file } = room();
    fs.writeFileSync(file, "x");
    const inFile = { code: "STORE", remedy: expect.stringContaining("store.dir") };
    for (const place of [file, join(file, "store")])
      await expect(directoryStore(place).create("a" as Key, textBody("x"))).rejects.toMatchObject(
        inFile,
      );
  });

  test("files that are no keys, links and temporary names are not listed", async () => {
    await store.create("a/b" as Key, textBody("x"));
    fs.writeFileSync(join(dir, "a", ".b.1.1.tmp"), "half");
    fs.writeFileSync(join(dir, "a", "read me.txt"), "x");
    fs.symlinkSync(join(dir, "a", "b"), join(dir, "a", "link"));
    expect(await store.list("" as Key)).toEqual(["a/b"]);
    expect(await store.head("a/link" as Key)).toBeNull();
    await expect(store.create("a/link" as Key, textBody("y"))).rejects.toMatchObject({
      code: "STORE",
    });
  });

  test("a body that lies in a file is copied, never linked", async () => {
    const folder = localFolder(cache as Path);
    const sealed = await folder.write(join(cache, "x") as Path, "x".repeat(2_000_000));
    const { stored } = await store.create(key, folder.body(join(cache, "x") as Path, sealed));
    expect(stored).toMatchObject(sealed);
    expect(fs.statSync(join(dir, key)).ino).not.toBe(fs.statSync(join(cache, "x")).ino);
    expect(fs.statSync(join(dir, key)).nlink).toBe(1);
  });

  test("a file that changed since it was hashed is not stored", async () => {
    const folder = localFolder(cache as Path);
    const sealed = await folder.write(join(cache, "x") as Path, "sealed");
    rot(join(cache, "x"));
    const changed = store.create(key, folder.body(join(cache, "x") as Path, sealed));
    await expect(changed).rejects.toMatchObject({ code: "STORE" });
    expect(await store.list("" as Key)).toEqual([]);
    expect(fs.readdirSync(dirname(join(dir, key)))).toEqual([]);
  });

  test("a create syncs the bytes, links them, syncs the folder, and then writes the sidecar", async () => {
    const t = traced();
    await t.store.create(key, textBody("x"));
    const { calls } = t.faults;
    const temporary = /^link (.*)$/.exec(calls.find((c) => c.startsWith("link ")) ?? "")?.[1];
    const order = [`write ${temporary}`, `sync ${temporary}`, `link ${temporary}`];
    const found = order.map((call) => calls.indexOf(call));
    found.push(calls.lastIndexOf(`sync ${dirname(join(dir, key))}`));
    found.push(calls.findIndex((c) => c.startsWith("rename ")));
    expect(found).not.toContain(-1);
    expect(found).toEqual([...found].sort((a, b) => a - b));
  });

  test("each folder that a create makes is synced into its parent", async () => {
    const t = traced();
    await t.store.create(key, textBody("x"));
    const folders = ["refunds", "refunds/refunds-2026-08-10", "refunds/refunds-2026-08-10/a1"];
    for (const name of folders) {
      const makes = t.faults.calls.lastIndexOf(`mkdir ${join(dir, name)}`);
      const syncs = t.faults.calls.indexOf(`sync ${dirname(join(dir, name))}`, makes);
      expect({ name, synced: makes >= 0 && syncs > makes }).toEqual({ name, synced: true });
    }
  });
});
