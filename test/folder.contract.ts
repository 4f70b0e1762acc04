import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { Folder } from "../src/folders/folder.js";
import { sha256Of } from "../src/model/canonical.js";
import type { Outside, Path } from "../src/model/ids.js";

/** A fresh folder and the way to its bytes that does not lead through it. */
export interface FolderBench {
  readonly folder: Folder;
  /** Absolute and not made yet. */
  readonly root: Path;
  readonly put: (path: string, bytes: Uint8Array) => void;
  readonly read: (path: string) => Uint8Array | null;
  /** A file outside the root. */
  readonly outside: Outside;
}

export const OUTSIDE = "id,amount\n1,0.10\n";

/** What every folder must do; each adapter's test file runs it. */
export function folderContract(open: () => FolderBench): void {
  let bench: FolderBench;
  let folder: Folder;
  const at = (name: string): Path => `${bench.root}/${name}` as Path;
  const textAt = (name: string): string => Buffer.from(bench.read(at(name)) ?? []).toString();
  const put = (name: string, text: string): void => bench.put(at(name), Buffer.from(text));
  beforeEach(async () => {
    bench = open();
    folder = bench.folder;
    await folder.make(bench.root);
  });

  describe("a name appears once", () => {
    test("what is written is there, whole, with its hash and size", async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: "binary" }), fc.nat(), async (text, n) => {
          const to = at(`${n}.${sha256Of(text)}`);
          await folder.remove(to);
          expect(await folder.write(to, text)).toEqual({
            sha256: sha256Of(text),
            size_bytes: Buffer.byteLength(text),
          });
          expect(await folder.text(to)).toBe(text);
        }),
        { numRuns: 30 },
      );
    });

    test("no call overwrites: write, copy and seal refuse a name that is taken", async () => {
      await folder.write(at("taken"), "first");
      put("draft", "second");
      const refused = { code: "EXISTS", subject: "taken" };
      await expect(folder.write(at("taken"), "second")).rejects.toMatchObject(refused);
      await expect(folder.copy(bench.outside, at("taken"))).rejects.toMatchObject(refused);
      await expect(folder.seal(at("draft"), at("taken"))).rejects.toMatchObject(refused);
      expect(textAt("taken")).toBe("first");
      expect(textAt("draft")).toBe("second");
      expect(await folder.list(bench.root)).toEqual(["draft", "taken"]);
    });

    test("of sixteen writers of one name one wins, and its text is what stays", async () => {
      const texts = Array.from({ length: 16 }, (_, i) => `writer ${i}`);
      const all = await Promise.allSettled(texts.map((text) => folder.write(at("one"), text)));
      const winners = texts.filter((_, i) => all[i]?.status === "fulfilled");
      expect(winners).toHaveLength(1);
      expect(textAt("one")).toBe(winners[0]);
      expect(await folder.list(bench.root)).toEqual(["one"]);
    });

    test("nothing is written below a folder that was not made", async () => {
      put("draft", "x");
      const gone = at("torn-down/file");
      const missing = { code: "DISK", subject: "torn-down/file" };
      await expect(folder.write(gone, "x")).rejects.toMatchObject(missing);
      await expect(folder.copy(bench.outside, gone)).rejects.toMatchObject(missing);
      await expect(folder.append(gone, "x")).rejects.toMatchObject(missing);
      await expect(folder.seal(at("draft"), gone)).rejects.toMatchObject(missing);
      await expect(folder.make(at("torn-down/deeper"))).rejects.toMatchObject({ code: "DISK" });
      expect(await folder.list(bench.root)).toEqual(["draft"]);
    });
  });

  describe("a file that comes in", () => {
    test("a copy has the hash of its source and does not change with it", async () => {
      const sealed = await folder.copy(bench.outside, at("in"));
      expect(sealed.sha256).toBe(sha256Of(OUTSIDE));
      bench.put(bench.outside, Buffer.from("changed"));
      expect(textAt("in")).toBe(OUTSIDE);
      expect(await folder.hash(at("in"))).toEqual(sealed);
    });

    test("a sealed draft moves: its old name is gone", async () => {
      put("1.out.csv", "a\n1\n");
      const sealed = await folder.seal(at("1.out.csv"), at("out.csv"));
      expect(sealed).toEqual({ sha256: sha256Of("a\n1\n"), size_bytes: 4 });
      expect(await folder.list(bench.root)).toEqual(["out.csv"]);
    });

    test("a body yields the same bytes each time it is opened", async () => {
      const sealed = await folder.write(at("a"), "x".repeat(3_000_000));
      const body = folder.body(at("a"), sealed);
      for (let times = 0; times < 2; times++) {
        const parts: Uint8Array[] = [];
        for await (const part of body.open()) parts.push(part);
        expect(sha256Of(Buffer.concat(parts))).toBe(body.sha256);
      }
    });

    test("a file that is absent is DISK, named relative to the root", async () => {
      const missing = { code: "DISK", subject: "none" };
      await expect(folder.text(at("none"))).rejects.toMatchObject(missing);
      await expect(folder.hash(at("none"))).rejects.toMatchObject(missing);
      await expect(folder.seal(at("none"), at("to"))).rejects.toMatchObject({ code: "DISK" });
      await expect(folder.copy(at("none"), at("to"))).rejects.toMatchObject({ code: "DISK" });
    });

    test("text that is not UTF-8 is refused, never replaced by another character", async () => {
      bench.put(at("bad"), Uint8Array.of(0x61, 0xff));
      await expect(folder.text(at("bad"))).rejects.toMatchObject({ code: "DISK", subject: "bad" });
    });
  });

  describe("an appended line", () => {
    test("follows the lines before it", async () => {
      for (const line of ["one", "", "three é"]) await folder.append(at("journal"), line);
      expect(textAt("journal")).toBe("one\n\nthree é\n");
    });

    test("a torn tail is cut first, however long it is, and no whole line is", async () => {
      const tails = fc.tuple(fc.nat(3), fc.integer({ min: 0, max: 200_000 }), fc.nat());
      await fc.assert(
        fc.asyncProperty(tails, async ([lines, torn, n]) => {
          const name = `journal${n}`;
          const whole = "whole line\n".repeat(lines);
          await folder.remove(at(name));
          put(name, whole + "t".repeat(torn));
          await folder.append(at(name), "next");
          expect(textAt(name)).toBe(`${whole}next\n`);
        }),
        { numRuns: 20 },
      );
    });

    test("holds no line end of its own", async () => {
      await expect(folder.append(at("journal"), "two\nlines")).rejects.toThrow("no line end");
    });
  });

  describe("a folder", () => {
    test("lists by bytes, and [] only where it does not exist", async () => {
      for (const name of ["b", "a", "Z", "é", "\u{ffff}", "\u{10000}"]) put(name, "x");
      expect(await folder.list(bench.root)).toEqual(["Z", "a", "b", "é", "\u{ffff}", "\u{10000}"]);
      expect(await folder.list(at("none"))).toEqual([]);
    });

    test("may be made twice and keeps what it has; a file's name cannot be one", async () => {
      await folder.make(at("dir"));
      put("dir/x", "x");
      await folder.make(at("dir"));
      expect(await folder.list(at("dir"))).toEqual(["x"]);
      await expect(folder.make(at("dir/x"))).rejects.toMatchObject({ code: "EXISTS" });
    });

    test("is removed with all below it, sealed files too, and what an earlier removal left", async () => {
      for (const dir of ["a1", "a1/work", "a1.gone", "a10"]) await folder.make(at(dir));
      await folder.write(at("a1/work/sealed"), "x");
      await folder.write(at("a1.gone/left"), "x");
      await folder.remove(at("a1"));
      expect(await folder.list(bench.root)).toEqual(["a10"]);
      await folder.remove(at("a1"));
      expect(await folder.list(bench.root)).toEqual(["a10"]);
    });

    test("an interrupted removal is finished by the next one", async () => {
      await folder.make(at("a1.gone"));
      put("a1.gone/left", "x");
      await folder.remove(at("a1"));
      expect(await folder.list(bench.root)).toEqual([]);
    });

    test("is pruned to the newest files that fit", async () => {
      await folder.make(at("cache"));
      for (const name of ["c", "a", "b"]) {
        await folder.write(at(`cache/${name}`), "12345");
        await tick();
      }
      await folder.prune(at("cache"), 14);
      expect(await folder.list(at("cache"))).toEqual(["a", "b"]);
      await folder.prune(at("cache"), 14);
      expect(await folder.list(at("cache"))).toEqual(["a", "b"]);
      await folder.prune(at("cache"), 0);
      expect(await folder.list(at("cache"))).toEqual([]);
      await folder.prune(at("none"), 0);
    });
  });
}

/** Longer than the steps in which a file system keeps time. */
function tick(): Promise<void> {
  return new Promise((done) => setTimeout(done, 20));
}
