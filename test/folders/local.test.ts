import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { realDisk } from "../../src/folders/disk.js";
import { faultyDisk } from "../../src/folders/faulty.js";
import type { Folder } from "../../src/folders/folder.js";
import { localFolder } from "../../src/folders/local.js";
import { sha256Of } from "../../src/model/canonical.js";
import { faultsOf, NO_FAULT } from "../../src/model/fault.js";
import type { Outside, Path } from "../../src/model/ids.js";
import { folderContract, OUTSIDE } from "../folder.contract.js";

const base = fs.mkdtempSync(join(tmpdir(), "tieout-folder-"));
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

let made = 0;
function room(): { root: Path; outside: Outside } {
  const dir = join(base, String(++made));
  fs.mkdirSync(dir);
  fs.writeFileSync(join(dir, "refunds.csv"), OUTSIDE);
  return { root: join(dir, "runs") as Path, outside: join(dir, "refunds.csv") as Outside };
}

function readOrNull(path: string): Uint8Array | null {
  return fs.existsSync(path) ? fs.readFileSync(path) : null;
}

describe("local folder", () => {
  folderContract(() => {
    const { root, outside } = room();
    const put = (path: string, bytes: Uint8Array): void => fs.writeFileSync(path, bytes);
    return { folder: localFolder(root), root, put, read: readOrNull, outside };
  });
});

describe("local folder on its disk", () => {
  let root: Path;
  let outside: Outside;
  let folder: Folder;
  const at = (name: string): Path => join(root, name) as Path;
  beforeEach(async () => {
    ({ root, outside } = room());
    folder = localFolder(root);
    await folder.make(root);
  });

  test("every sealed file has mode 0444 and one name", async () => {
    fs.writeFileSync(at("draft"), "x");
    await folder.write(at("written"), "x");
    await folder.copy(outside, at("copied"));
    await folder.seal(at("draft"), at("sealed"));
    for (const name of ["written", "copied", "sealed"]) {
      const { mode, nlink } = fs.statSync(at(name));
      expect({ name, mode: mode & 0o777, nlink }).toEqual({ name, mode: 0o444, nlink: 1 });
    }
  });

  test("a copy shares no inode with its source", async () => {
    await folder.copy(outside, at("copied"));
    expect(fs.statSync(at("copied")).ino).not.toBe(fs.statSync(outside).ino);
  });

  test("a large file is hashed as a small one is, and calls at once do not mix", async () => {
    const sizes = [0, 1, 1_048_575, 1_048_576, 1_048_577, 5_000_000];
    const contents = sizes.map((size, i) => Buffer.alloc(size, i + 1));
    for (const [i, bytes] of contents.entries()) fs.writeFileSync(at(`f${i}`), bytes);
    const hashed = await Promise.all(contents.map((_, i) => folder.hash(at(`f${i}`))));
    const meant = contents.map((b) => ({ sha256: sha256Of(b), size_bytes: b.byteLength }));
    expect(hashed).toEqual(meant);
  });

  test("a link in the place of one of our names is never followed", async () => {
    fs.symlinkSync(outside, at("link"));
    fs.writeFileSync(join(root, "..", "large"), Buffer.alloc(2_000_000));
    fs.symlinkSync(join(root, "..", "large"), at("large"));
    fs.symlinkSync(join(base, "planted"), at("dangling"));
    for (const call of [
      () => folder.text(at("link")),
      () => folder.hash(at("link")),
      () => folder.hash(at("large")),
      () => folder.append(at("link"), "x"),
      () => folder.append(at("dangling"), "x"),
      () => folder.seal(at("link"), at("to")),
      () => folder.copy(at("link"), at("to")),
    ])
      await expect(call()).rejects.toMatchObject({ code: "DISK" });
    await expect(folder.write(at("dangling"), "x")).rejects.toMatchObject({ code: "EXISTS" });
    await folder.remove(at("link"));
    expect(fs.readFileSync(outside, "utf8")).toBe(OUTSIDE);
    expect(fs.existsSync(join(base, "planted"))).toBe(false);
    expect(fs.existsSync(at("to"))).toBe(false);
  });

  test("a temporary name of a process that died is no obstacle and is not listed", async () => {
    for (let n = 0; n < 50; n++) fs.writeFileSync(at(`.x.${process.pid}.${n}.tmp`), "half");
    await folder.write(at("x"), "whole");
    expect(await folder.list(root)).toEqual(["x"]);
    expect(fs.readFileSync(at("x"), "utf8")).toBe("whole");
  });

  test("no message names a path of this machine", async () => {
    const failures = await Promise.allSettled([
      folder.text(at("none")),
      folder.copy(join(base, "none") as Outside, at("x")),
      folder.write(at("no/x"), "x"),
    ]);
    for (const f of failures) {
      expect(f.status).toBe("rejected");
      if (f.status === "rejected") expect(JSON.stringify(f.reason)).not.toContain(base);
    }
  });

  test("sealing syncs the file, then links it, then syncs its folder, then drops the draft", async () => {
    fs.mkdirSync(at("work"));
    fs.writeFileSync(at("work/draft"), "x");
    const faults = faultsOf(NO_FAULT);
    const traced = localFolder(root, { disk: faultyDisk(realDisk, faults) });
    await traced.seal(at("work/draft"), at("out"));
    inOrder(faults.calls, [
      `chmod ${at("work/draft")}`,
      `sync ${at("work/draft")}`,
      `link ${at("work/draft")}`,
      `sync ${root}`,
      `unlink ${at("work/draft")}`,
      `sync ${at("work")}`,
    ]);
  });

  test("writing and copying sync the bytes before the link and the folder after it", async () => {
    for (const call of ["write", "copy"] as const) {
      const faults = faultsOf(NO_FAULT);
      const traced = localFolder(root, { disk: faultyDisk(realDisk, faults) });
      await (call === "write" ? traced.write(at(call), "x") : traced.copy(outside, at(call)));
      const temporary = /^sync (.*\.tmp)$/.exec(faults.calls.find(isSyncOfTemporary) ?? "")?.[1];
      inOrder(faults.calls, [
        call === "write" ? `write ${temporary}` : `copyFile ${outside}`,
        `sync ${temporary}`,
        `link ${temporary}`,
        `sync ${root}`,
      ]);
    }
  });

  test("a journal's line is synced, and its folder when it is the first", async () => {
    const faults = faultsOf(NO_FAULT);
    const traced = localFolder(root, { disk: faultyDisk(realDisk, faults) });
    await traced.append(at("journal"), "one");
    inOrder(faults.calls, [`write ${at("journal")}`, `sync ${at("journal")}`, `sync ${root}`]);
  });
});

function isSyncOfTemporary(call: string): boolean {
  return call.startsWith("sync ") && call.endsWith(".tmp");
}

/** Each call once or more, the first of each after the first of the one before. */
function inOrder(calls: readonly string[], wanted: readonly string[]): void {
  const found = wanted.map((call) => calls.indexOf(call));
  expect(found, calls.join("\n")).not.toContain(-1);
  expect(found).toEqual([...found].sort((a, b) => a - b));
}
