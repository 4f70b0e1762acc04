import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { Body } from "../src/model/body.js";
import { sha256Of, textBody } from "../src/model/canonical.js";
import { StoreFacts } from "../src/model/capabilities.js";
import type { Key, Path } from "../src/model/ids.js";
import type { Store } from "../src/stores/store.js";

/** A fresh store, and the two ways in which one lets its users down. */
export interface StoreBench {
  readonly store: Store;
  /** Flips a bit of an object as a disk does: unseen by whoever does not read it. */
  readonly damage: (key: Key) => void | Promise<void>;
  readonly lose: (key: Key) => void | Promise<void>;
  /** A path that `fetch` may write to: its folder exists, it does not. */
  readonly to: (name: string) => Path;
  readonly read: (path: Path) => Uint8Array | null;
}

const key = (text: string): Key => text as Key;

/** What every store must do; each adapter's test file runs it. */
export function storeContract(open: () => StoreBench): void {
  let bench: StoreBench;
  let store: Store;
  beforeEach(() => {
    bench = open();
    store = bench.store;
  });

  describe("a key is created once", () => {
    test("what was created is there, with its hash, size and version", async () => {
      const body = textBody("hello é");
      const { mine, stored } = await store.create(key("a/b.json"), body);
      const { sha256, size_bytes } = body;
      expect(mine).toBe(true);
      expect(stored).toMatchObject({ key: "a/b.json", sha256, size_bytes });
      expect(await store.head(key("a/b.json"))).toEqual(stored);
      expect(await store.head(key("a/b.json"), stored.version)).toEqual(stored);
      expect(await store.text(key("a/b.json"), stored.version)).toBe("hello é");
    });

    test("a second create is told what is there and changes nothing", async () => {
      const first = await store.create(key("a"), textBody("first"));
      for (const text of ["second", "first"]) {
        const second = await store.create(key("a"), textBody(text));
        expect(second).toEqual({ mine: false, stored: first.stored });
      }
      expect(await store.text(key("a"))).toBe("first");
    });

    test("of sixteen racers one wins, and all are told of the same object", async () => {
      for (let round = 0; round < 5; round++) {
        const k = key(`claims/a1/${round}.json`);
        const texts = Array.from({ length: 16 }, (_, i) => `racer ${i}`);
        const all = await Promise.all(texts.map((text) => store.create(k, textBody(text))));
        const winners = texts.filter((_, i) => all[i]?.mine);
        expect(winners).toHaveLength(1);
        expect(await store.text(k)).toBe(winners[0]);
        expect(new Set(all.map(({ stored }) => stored.sha256)).size).toBe(1);
      }
    });

    test("bytes that are not those announced leave nothing", async () => {
      const body: Body = { ...textBody("announced"), open: textBody("other").open };
      await expect(store.create(key("a/b"), body)).rejects.toMatchObject({ code: "STORE" });
      expect(await store.head(key("a/b"))).toBeNull();
      expect(await store.list(key(""))).toEqual([]);
      expect((await store.create(key("a/b"), textBody("announced"))).mine).toBe(true);
    });

    test("a body that breaks off leaves nothing", async () => {
      const open = async function* (): AsyncIterable<Uint8Array> {
        yield Buffer.from("half");
        throw new Error("the source went away");
      };
      const broken = store.create(key("a"), { ...textBody("half and half"), open });
      await expect(broken).rejects.toThrow("the source went away");
      expect(await store.list(key(""))).toEqual([]);
    });

    test("a large object in many chunks is kept as it is", async () => {
      const chunk = Buffer.from("0123456789abcdef".repeat(4096));
      const whole = Buffer.concat(Array.from({ length: 40 }, () => chunk));
      const { sha256 } = textBody(whole.toString());
      const open = async function* (): AsyncIterable<Uint8Array> {
        for (let i = 0; i < 40; i++) yield chunk;
      };
      const body = { sha256, size_bytes: whole.byteLength, open };
      const { stored } = await store.create(key("big"), body);
      expect(await store.fetch(stored, bench.to("big"))).toEqual({
        sha256,
        size_bytes: whole.byteLength,
      });
    });

    for (const odd of ["", "/a", "a/", "a//b", "../a", "a/../b", ".hidden", "a/.b", "a b", "é"])
      test(`${JSON.stringify(odd)} is not a key`, async () => {
        const refused = { code: "STORE" };
        await expect(store.create(key(odd), textBody("x"))).rejects.toMatchObject(refused);
        await expect(store.head(key(odd))).rejects.toMatchObject(refused);
        expect(await store.list(key(""))).toEqual([]);
      });
  });

  describe("what is absent", () => {
    test("is null for head and STORE for a read; so is another version", async () => {
      expect(await store.head(key("none"))).toBeNull();
      await expect(store.text(key("none"))).rejects.toMatchObject({ code: "STORE" });
      await store.create(key("a"), textBody("x"));
      expect(await store.head(key("a"), "0000000000000000")).toBeNull();
      const other = store.text(key("a"), "0000000000000000");
      await expect(other).rejects.toMatchObject({ code: "STORE", subject: "a" });
    });

    test("a lost object is absent, and a fetch of it writes nothing", async () => {
      const { stored } = await store.create(key("a/b"), textBody("x"));
      await bench.lose(key("a/b"));
      expect(await store.head(key("a/b"))).toBeNull();
      expect(await store.list(key(""))).toEqual([]);
      await expect(store.fetch(stored, bench.to("x"))).rejects.toMatchObject({ code: "STORE" });
      expect(bench.read(bench.to("x"))).toBeNull();
    });
  });

  describe("a fetch", () => {
    test("gives the bytes, whatever they are", async () => {
      let n = 0;
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 4000 }), async (bytes) => {
          const name = `${++n}`;
          const open = async function* (): AsyncIterable<Uint8Array> {
            yield bytes;
          };
          const body = { sha256: sha256Of(bytes), size_bytes: bytes.byteLength, open };
          const { stored } = await store.create(key(name), body);
          await store.fetch(stored, bench.to(name));
          expect(Buffer.from(bench.read(bench.to(name)) ?? []).equals(bytes)).toBe(true);
        }),
        { numRuns: 20 },
      );
    });

    test("of a flipped bit is DAMAGED, names the key and leaves nothing", async () => {
      const { stored } = await store.create(key("a/b"), textBody("4118.62"));
      await bench.damage(key("a/b"));
      const found = { code: "DAMAGED", subject: "a/b" };
      await expect(store.fetch(stored, bench.to("x"))).rejects.toMatchObject(found);
      await expect(store.text(key("a/b"))).rejects.toMatchObject(found);
      await expect(store.text(key("a/b"), stored.version)).rejects.toMatchObject(found);
      expect(bench.read(bench.to("x"))).toBeNull();
    });

    test("never overwrites", async () => {
      const { stored } = await store.create(key("a"), textBody("first"));
      const { stored: other } = await store.create(key("b"), textBody("second"));
      await store.fetch(stored, bench.to("x"));
      await expect(store.fetch(other, bench.to("x"))).rejects.toMatchObject({ code: "EXISTS" });
      expect(Buffer.from(bench.read(bench.to("x")) ?? []).toString()).toBe("first");
    });
  });

  describe("a list", () => {
    test("has every key that starts with the prefix, sorted by bytes", async () => {
      const keys = ["b/x", "a/x", "a-b/x", "a.b/x", "aa", "a/y/z", "a/y.z", "Z", "0"];
      for (const k of keys) await store.create(key(k), textBody(k));
      for (const prefix of ["", "a", "a/", "a/y", "a/y/", "b/", "none/", "a/x/"])
        expect({ prefix, keys: await store.list(key(prefix)) }).toEqual({
          prefix,
          keys: keys.filter((k) => k.startsWith(prefix)).sort(),
        });
    });

    test("of a prefix that could leave the store is refused", async () => {
      for (const prefix of ["../", "/", "a/../../", ".tieout/"])
        await expect(store.list(key(prefix))).rejects.toMatchObject({ code: "STORE" });
    });
  });

  test("a store says what it was found to keep to", async () => {
    const facts = StoreFacts.parse(await store.facts());
    const { stored } = await store.create(key("a"), textBody("a"));
    expect((await store.retention(stored)).mode).toBe(facts.retention);
  });

  describe("what is retained stays", () => {
    const FAR = "2090-01-01T00:00:00.000Z";
    const FARTHER = "2095-06-30T12:00:00.000Z";
    const made = async (name: string) => (await store.create(key(name), textBody(name))).stored;

    test("retention is only ever extended, and what is answered is what is read back", async () => {
      const stored = await made("a");
      expect(await store.retain(stored, FAR)).toMatchObject({ until: FAR });
      expect(await store.retain(stored, FARTHER)).toMatchObject({ until: FARTHER });
      expect(await store.retain(stored, FAR)).toMatchObject({ until: FARTHER });
      expect(await store.retention(stored)).toMatchObject({ until: FARTHER, held: false });
    });

    test("what is retained is not removed, and its bytes stay", async () => {
      const stored = await made("b");
      await store.retain(stored, FAR);
      await expect(store.remove(stored)).rejects.toMatchObject({ code: "RETAINED" });
      expect(await store.text(stored.key, stored.version)).toBe("b");
    });

    test("a hold keeps what no date does, until it is lifted", async () => {
      const stored = await made("c");
      expect(await store.hold(stored, true)).toMatchObject({ held: true });
      await expect(store.remove(stored)).rejects.toMatchObject({ code: "RETAINED" });
      expect(await store.hold(stored, false)).toMatchObject({ held: false });
    });

    test("racing extensions and holds lose nothing of each other", async () => {
      const stored = await made("d");
      await Promise.all([
        store.retain(stored, FAR),
        store.hold(stored, true),
        store.retain(stored, FARTHER),
      ]);
      expect(await store.retention(stored)).toMatchObject({ until: FARTHER, held: true });
    });

    test("what is absent has no retention, and removing it is no error", async () => {
      const stored = { ...(await made("e")), key: key("f") };
      await expect(store.retention(stored)).rejects.toMatchObject({ code: "STORE" });
      await expect(store.retain(stored, FAR)).rejects.toMatchObject({ code: "STORE" });
      await store.remove(stored);
    });

    test("the store's clock goes on, and never back", async () => {
      const [first, second] = [await store.now(), await store.now()];
      expect(second).toBeGreaterThanOrEqual(first);
    });

    test("a kept object's documents are no keys of the store", async () => {
      const stored = await made("g/h");
      await store.retain(stored, FAR);
      await store.hold(stored, true);
      expect(await store.list(key(""))).toEqual(["g/h"]);
    });
  });
}
