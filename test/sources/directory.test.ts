import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { realDisk } from "../../src/folders/disk.js";
import { faultyDisk } from "../../src/folders/faulty.js";
import { sha256Of } from "../../src/model/canonical.js";
import { isTieout } from "../../src/model/errors.js";
import { faultsOf } from "../../src/model/fault.js";
import type { Outside } from "../../src/model/ids.js";
import { directorySource } from "../../src/sources/directory.js";
import { memorySource } from "../../src/sources/memory.js";
import type { Source } from "../../src/sources/source.js";

const base = fs.mkdtempSync(join(tmpdir(), "tieout-source-"));
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "refunds.csv": "id\n1\n",
  "ledger-a.csv": "a",
  "ledger-b.csv": "b",
  "ledger.2.csv": "2",
  "ledger-10.csv": "10",
  "LEDGER.csv": "upper",
  ".ledger.csv.swp": "dot",
  "2026/08/refunds.csv": "deep",
  "2026/09/refunds.csv": "deeper",
  "2026-refunds.csv": "flat",
  "a+b(1).csv": "odd",
  "é.csv": "accent",
  "bom.sql": "\u{feff}SELECT 1",
  "latin.sql": Uint8Array.of(0x27, 0xe9, 0x27),
};

let made = 0;
function fill(): string {
  const dir = join(base, String(++made), "exports");
  for (const [name, content] of Object.entries(FILES)) {
    fs.mkdirSync(join(dir, name, ".."), { recursive: true });
    fs.writeFileSync(join(dir, name), content);
  }
  return dir;
}

const ADAPTERS: Readonly<Record<string, () => Source>> = {
  directory: () => directorySource(fill(), "exports"),
  memory: () => memorySource(FILES, "exports"),
};
for (const [adapter, open] of Object.entries(ADAPTERS))
  describe(`${adapter} source`, () => {
    const source = open();
    const names = async (glob: string): Promise<string[]> =>
      (await source.find(glob)).map((f) => f.name);

    test.each([
      ["refunds.csv", ["refunds.csv"]],
      ["ledger-?.csv", ["ledger-a.csv", "ledger-b.csv"]],
      ["ledger*.csv", ["ledger-10.csv", "ledger-a.csv", "ledger-b.csv", "ledger.2.csv"]],
      ["2026/*/refunds.csv", ["2026/08/refunds.csv", "2026/09/refunds.csv"]],
      ["2026*", ["2026-refunds.csv"]],
      ["*/08/*", ["2026/08/refunds.csv"]],
      ["?.csv", ["é.csv"]],
      ["a+b(1).csv", ["a+b(1).csv"]],
      [".*.swp", [".ledger.csv.swp"]],
      ["*.swp", []],
      ["none.csv", []],
      ["none/none.csv", []],
      ["refunds.csv/x", []],
      ["2026", []],
    ])("%s finds just these, sorted by bytes: %j", async (glob, wanted) => {
      expect(await names(glob)).toEqual(wanted);
    });

    test("a glob or a name that could leave the folder is refused", async () => {
      for (const name of ["../x", "/etc/passwd", "a/../../x", "a//b", "", ".", "./a", "a\0"]) {
        await expect(source.find(name)).rejects.toMatchObject({ code: "BAD_VALUE" });
        await expect(source.text(name)).rejects.toMatchObject({ code: "BAD_VALUE" });
      }
    });

    test("a found file is hashed over its bytes", async () => {
      const [found] = await source.find("refunds.csv");
      expect(found && (await source.hash(found.file))).toEqual({
        sha256: sha256Of("id\n1\n"),
        size_bytes: 5,
      });
    });

    test("text is strict UTF-8 without its byte order mark", async () => {
      expect(await source.text("2026/08/refunds.csv")).toBe("deep");
      expect(await source.text("bom.sql")).toBe("SELECT 1");
      const bad = { code: "INPUT_INVALID", subject: "latin.sql" };
      await expect(source.text("latin.sql")).rejects.toMatchObject(bad);
    });

    test("text of a file that is absent is INPUT_MISSING and names the source", async () => {
      const missing = { code: "INPUT_MISSING", subject: "none.sql" };
      await expect(source.text("none.sql")).rejects.toMatchObject(missing);
      await expect(source.text("none.sql")).rejects.toThrow("exports");
    });
  });

describe("directory source on its disk", () => {
  let dir: string;
  let source: Source;
  beforeEach(() => {
    dir = fill();
    source = directorySource(dir, "exports");
  });

  test("a link within the folder is followed to its file", async () => {
    fs.symlinkSync(join(dir, "refunds.csv"), join(dir, "latest.csv"));
    fs.symlinkSync("2026", join(dir, "current"));
    const [latest] = await source.find("latest.csv");
    expect(latest).toEqual({ name: "latest.csv", file: fs.realpathSync(join(dir, "refunds.csv")) });
    const found = await source.find("current/*/*.csv");
    expect(found.map((f) => f.name)).toEqual(["current/08/refunds.csv", "current/09/refunds.csv"]);
    expect(await source.text("latest.csv")).toBe("id\n1\n");
  });

  test("a link that leaves the folder, or leads to nothing, is refused and not skipped", async () => {
    fs.writeFileSync(join(dir, "..", "secret.csv"), "secret");
    fs.mkdirSync(join(dir, "..", "exports-evil"));
    fs.writeFileSync(join(dir, "..", "exports-evil", "x.csv"), "sibling");
    fs.symlinkSync("../secret.csv", join(dir, "out.csv"));
    fs.symlinkSync("../exports-evil", join(dir, "evil"));
    fs.symlinkSync("nothing", join(dir, "dangling.csv"));
    for (const glob of ["out.csv", "evil/x.csv", "evil/*", "dangling.csv", "*.csv"])
      await expect(source.find(glob)).rejects.toMatchObject({ code: "INPUT_INVALID" });
    for (const name of ["out.csv", "evil/x.csv", "dangling.csv"])
      await expect(source.text(name)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });

  test("a source that is itself reached by a link is one all the same", async () => {
    fs.symlinkSync(dir, join(dir, "..", "link"));
    const linked = directorySource(join(dir, "..", "link"), "link");
    expect((await linked.find("refunds.csv")).map((f) => f.name)).toEqual(["refunds.csv"]);
    expect(await linked.text("refunds.csv")).toBe("id\n1\n");
  });

  test("a folder that does not exist has no files", async () => {
    expect(await directorySource(join(dir, "none"), "none").find("*.csv")).toEqual([]);
  });

  test("a hash of a file that vanished is INPUT_MISSING, without its path", async () => {
    const gone = source.hash(join(dir, "gone.csv") as Outside);
    await expect(gone).rejects.toMatchObject({ code: "INPUT_MISSING", subject: "gone.csv" });
  });

  test("a fault at any disk call is an error, never a shorter list", async () => {
    const all = await source.find("*.csv");
    for (let at = 1, failed: string | null = ""; failed !== null; at++) {
      const faults = faultsOf({ at, mode: "before", times: "once" });
      const faulty = directorySource(dir, "exports", { disk: faultyDisk(realDisk, faults) });
      const found = await faulty.find("*.csv").catch((e) => {
        if (!isTieout(e, "DISK")) throw e;
        return null;
      });
      failed = faults.failed;
      expect(found).toEqual(failed === null ? all : null);
    }
  });
});
