import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { faultyDisk } from "../../src/folders/faulty.js";
import type { Folder } from "../../src/folders/folder.js";
import { localFolder } from "../../src/folders/local.js";
import { sha256Of } from "../../src/model/canonical.js";
import { isTieout } from "../../src/model/errors.js";
import { type FaultPlan, faultsOf, Killed } from "../../src/model/fault.js";
import type { Outside, Path } from "../../src/model/ids.js";
import { unsyncedDisk } from "./unsynced.js";

const base = fs.mkdtempSync(join(tmpdir(), "tieout-faults-"));
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

/** A fresh folder with what the operations below start from. */
interface Room {
  readonly root: Path;
  readonly outside: Outside;
  readonly at: (name: string) => Path;
}

let made = 0;
function room(): Room {
  const dir = join(base, String(++made));
  const root = join(dir, "runs") as Path;
  fs.mkdirSync(join(root, "work"), { recursive: true });
  fs.mkdirSync(join(root, "a1", "in"), { recursive: true });
  fs.writeFileSync(join(dir, "outside"), TEXT);
  fs.writeFileSync(join(root, "work", "draft"), TEXT);
  fs.writeFileSync(join(root, "a1", "in", "x"), TEXT);
  fs.writeFileSync(join(root, "journal"), "one\ntor");
  return {
    root,
    outside: join(dir, "outside") as Outside,
    at: (name) => join(root, name) as Path,
  };
}

const TEXT = "amount\n0.10\n-4118.62\n";
const SEALED = { sha256: sha256Of(TEXT), size_bytes: TEXT.length };

interface Operation {
  readonly run: (folder: Folder, r: Room) => Promise<unknown>;
  /** What must be true whether or not the operation failed; `answer` is undefined when it threw. */
  readonly sound: (r: Room, answer: unknown) => void;
  /** What must be true after it was tried again on a sound disk, which may say EXISTS. */
  readonly settled: (r: Room) => void;
}

const finalIsWhole = (r: Room): void =>
  expect(fs.readFileSync(r.at("final"), "utf8"), "the final file").toBe(TEXT);
const finalIsWholeOrAbsent = (r: Room, answer: unknown): void => {
  if (answer !== undefined || fs.existsSync(r.at("final"))) finalIsWhole(r);
  if (answer !== undefined) expect(answer).toEqual(SEALED);
  if (fs.existsSync(r.at("final"))) expect(fs.statSync(r.at("final")).mode & 0o777).toBe(0o444);
};
const places = { sound: finalIsWholeOrAbsent, settled: finalIsWhole };
const reads = (meant: unknown) => ({
  sound: (_: Room, answer: unknown) => {
    if (answer !== undefined) expect(answer).toEqual(meant);
  },
  settled: () => undefined,
});

const OPERATIONS: Readonly<Record<string, Operation>> = {
  write: { run: (f, r) => f.write(r.at("final"), TEXT), ...places },
  copy: { run: (f, r) => f.copy(r.outside, r.at("final")), ...places },
  seal: {
    run: (f, r) => f.seal(r.at("work/draft"), r.at("final")),
    sound: (r, answer) => {
      finalIsWholeOrAbsent(r, answer);
      const names = [r.at("work/draft"), r.at("final")].filter((n) => fs.existsSync(n));
      expect(names, "the draft under one of its names").not.toEqual([]);
    },
    settled: finalIsWhole,
  },
  append: {
    run: (f, r) => f.append(r.at("journal"), "two").then(() => "appended"),
    sound: (r, answer) => {
      const journal = fs.readFileSync(r.at("journal"), "utf8");
      expect(journal.startsWith("one\n"), "the whole line before").toBe(true);
      if (answer !== undefined) expect(journal).toBe("one\ntwo\n");
    },
    settled: (r) => {
      const lines = fs.readFileSync(r.at("journal"), "utf8").split("\n");
      expect(lines.at(-1), "no torn tail").toBe("");
      expect(new Set(lines.slice(1, -1))).toEqual(new Set(["two"]));
    },
  },
  remove: {
    run: (f, r) => f.remove(r.at("a1")).then(() => "removed"),
    sound: (r, answer) => {
      if (fs.existsSync(r.at("a1"))) expect(fs.existsSync(r.at("a1/in/x")), "whole").toBe(true);
      if (answer !== undefined) expect(fs.readdirSync(r.root)).toEqual(["journal", "work"]);
    },
    settled: (r) => expect(fs.readdirSync(r.root)).toEqual(["journal", "work"]),
  },
  make: {
    run: (f, r) => f.make(r.at("a2")).then(() => "made"),
    sound: (r, answer) => {
      if (answer !== undefined) expect(fs.statSync(r.at("a2")).isDirectory()).toBe(true);
    },
    settled: (r) => expect(fs.statSync(r.at("a2")).isDirectory()).toBe(true),
  },
  list: { run: (f, r) => f.list(r.root), ...reads(["a1", "journal", "work"]) },
  text: { run: (f, r) => f.text(r.at("a1/in/x")), ...reads(TEXT) },
  hash: { run: (f, r) => f.hash(r.at("a1/in/x")), ...reads(SEALED) },
};

interface Variant {
  readonly mode: FaultPlan["mode"];
  readonly times: FaultPlan["times"];
  readonly code: "EIO" | "ENOSPC" | "EMFILE";
}
const VARIANTS: readonly Variant[] = [
  { mode: "before", times: "once", code: "EIO" },
  { mode: "before", times: "once", code: "ENOSPC" },
  { mode: "before", times: "onward", code: "EMFILE" },
  { mode: "after", times: "once", code: "EIO" },
  { mode: "torn", times: "once", code: "ENOSPC" },
  { mode: "torn", times: "onward", code: "ENOSPC" },
  { mode: "kill", times: "onward", code: "EIO" },
];

/** Fails every disk call of an operation in turn, until a pass that no call failed. */
async function eachFault(operation: Operation, { code, ...plan }: Variant): Promise<number> {
  for (let at = 1; ; at++) {
    const r = room();
    const faults = faultsOf({ ...plan, at });
    const folder = localFolder(r.root, { disk: faultyDisk(unsyncedDisk, faults, code) });
    let answer: unknown;
    try {
      answer = await operation.run(folder, r);
    } catch (e) {
      const meant = code === "ENOSPC" ? "DISK_FULL" : "DISK";
      expect(isTieout(e, meant) || e instanceof Killed, `${faults.failed}: ${e}`).toBe(true);
    }
    operation.sound(r, answer);
    const sound = localFolder(r.root, { disk: unsyncedDisk });
    await operation.run(sound, r).catch((e) => {
      if (!isTieout(e, "EXISTS") && !(isTieout(e, "DISK") && isSealedAlready(r))) throw e;
    });
    operation.settled(r);
    if (faults.failed === null) return at - 1;
    fs.rmSync(join(r.root, ".."), { recursive: true });
  }
}

/** A draft that was sealed before its call failed is not there to be sealed again. */
function isSealedAlready(r: Room): boolean {
  return !fs.existsSync(r.at("work/draft")) && fs.existsSync(r.at("final"));
}

describe("a fault at any disk call", () => {
  for (const [name, operation] of Object.entries(OPERATIONS))
    for (const v of VARIANTS)
      test(`of ${name} (${v.mode} ${v.times}, ${v.code}) leaves nothing half done`, async () => {
        expect(await eachFault(operation, v)).toBeGreaterThan(0);
      });

  for (const name of ["write", "copy", "seal"])
    test(`of ${name} that is a lie never leaves half a file under its name`, async () => {
      const { run } = OPERATIONS[name] ?? {};
      if (!run) throw new Error("no such operation");
      for (let at = 1, failed: string | null = ""; failed !== null; at++) {
        const r = room();
        const faults = faultsOf({ at, mode: "lie", times: "onward" });
        const folder = localFolder(r.root, { disk: faultyDisk(unsyncedDisk, faults) });
        const answer = await run(folder, r).catch((e) => {
          if (!isTieout(e, "DISK")) throw e;
        });
        finalIsWholeOrAbsent(r, answer);
        failed = faults.failed;
      }
    });

  test("a disk that takes one byte at a time gets every byte", async () => {
    const r = room();
    const folder = localFolder(r.root, {
      disk: {
        ...unsyncedDisk,
        open: async (path, how) => {
          const file = await unsyncedDisk.open(path, how);
          return { ...file, write: (bytes, at) => file.write(bytes.subarray(0, 1), at) };
        },
      },
    });
    expect(await folder.write(r.at("final"), TEXT)).toEqual(SEALED);
    await folder.append(r.at("journal"), "two");
    finalIsWhole(r);
    expect(fs.readFileSync(r.at("journal"), "utf8")).toBe("one\ntwo\n");
  });

  test("nothing runs after a kill", async () => {
    const r = room();
    const faults = faultsOf({ at: 3, mode: "kill", times: "once" });
    const folder = localFolder(r.root, { disk: faultyDisk(unsyncedDisk, faults) });
    await expect(folder.write(r.at("final"), TEXT)).rejects.toBeInstanceOf(Killed);
    const left = fs.readdirSync(r.root);
    await expect(folder.remove(r.at("a1"))).rejects.toBeInstanceOf(Killed);
    await expect(folder.list(r.root)).rejects.toBeInstanceOf(Killed);
    expect(fs.readdirSync(r.root)).toEqual(left);
    expect(await localFolder(r.root).list(r.root)).toEqual(["a1", "journal", "work"]);
  });
});
