import { describe, expect, test } from "vitest";
import { memoryFolder } from "../../src/folders/memory.js";
import type { Path } from "../../src/model/ids.js";
import { memorySource } from "../../src/sources/memory.js";
import { folderContract, OUTSIDE } from "../folder.contract.js";

describe("memory folder", () => {
  folderContract(() => {
    const root = "/runs" as Path;
    const folder = memoryFolder(root);
    const outside = "/exports/refunds.csv";
    folder.put(outside, Buffer.from(OUTSIDE));
    return { folder, root, put: folder.put, read: folder.read, outside: outside as never };
  });

  test("copies a memory source's files", async () => {
    const source = memorySource({ "refunds.csv": "a\n" });
    const folder = memoryFolder("/runs" as Path, source.read);
    await folder.make("/runs" as Path);
    const [found] = await source.find("*.csv");
    if (!found) throw new Error("the source lost its file");
    expect(await folder.copy(found.file, "/runs/in" as Path)).toEqual(
      await source.hash(found.file),
    );
  });
});
