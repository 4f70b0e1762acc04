import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryFolder } from "../../src/folders/memory.js";
import { textBody } from "../../src/model/canonical.js";
import type { Key, Path } from "../../src/model/ids.js";
import { memoryStore } from "../../src/stores/memory.js";
import { storeContract } from "../store.contract.js";

describe("memory store", () => {
  storeContract(() => {
    const folder = memoryFolder("/runs" as Path);
    const store = memoryStore(folder.put);
    const to = (name: string): Path => `/cache/${name}` as Path;
    return { store, damage: store.damage, lose: store.lose, to, read: folder.read };
  });

  test("by itself fetches to the local disk, read-only", async () => {
    const dir = fs.mkdtempSync(join(tmpdir(), "tieout-memory-"));
    const store = memoryStore();
    const { stored } = await store.create("a" as Key, textBody("x"), { job: "refunds" });
    await store.fetch(stored, join(dir, "x") as Path);
    expect(fs.readFileSync(join(dir, "x"), "utf8")).toBe("x");
    expect(fs.statSync(join(dir, "x")).mode & 0o777).toBe(0o444);
    expect(store.tags("a" as Key)).toEqual({ job: "refunds" });
    fs.rmSync(dir, { recursive: true });
  });
});
