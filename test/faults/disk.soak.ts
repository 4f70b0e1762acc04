import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import { csvReader } from "../../src/readers/csv.js";
import { xlsxWriter } from "../../src/writers/xlsx.js";
import { layGround } from "./cells.js";
import { dice, inPart, replay } from "./choice.js";
import { DISK_TROUBLES, type DiskTrouble, newDiskWorld, runDiskCell } from "./disk.js";
import { rotsOf, runRot } from "./rot.js";

const FILE = "test/faults/disk.soak.ts";
const TROUBLES = Object.keys(DISK_TROUBLES) as DiskTrouble[];

test("every call on the disk and every trouble", async () => {
  const ground = await layGround();
  const broken: string[] = [];
  for (const trouble of TROUBLES)
    for (let at = 1, failed: string | null = ""; failed !== null; at++) {
      if (!inPart(at)) continue;
      const cell = { trouble, at, resume: at % 2 ? "once" : "twice" } as const;
      const fate = await runDiskCell(cell, ground);
      failed = fate.failed;
      if (fate.breaks.length > 0) broken.push(`${replay(FILE, cell)}\n ${fate.breaks.join("\n ")}`);
    }
  expect(broken, broken.slice(0, 5).join("\n")).toEqual([]);
});

test("whatever is damaged or lost after any stage", async () => {
  const ground = await layGround();
  const rots = await rotsOf(ground, async () => newDiskWorld(ground));
  const broken: string[] = [];
  for (const rot of rots.filter((_, i) => inPart(i))) {
    const world = newDiskWorld(ground);
    const { breaks } = await runRot(rot, ground, world, false).finally(world.end);
    if (breaks.length > 0) broken.push(`${replay(FILE, rot)}\n ${breaks.join("\n ")}`);
  }
  expect(broken, broken.slice(0, 5).join("\n")).toEqual([]);
});

test("a sample of calls on the disk with DuckDB, its reader and its workbook", async () => {
  const duckdb = await duckdbInline({ temp: tmpdir() });
  const real = { engine: duckdb, reader: csvReader(), writer: xlsxWriter() };
  const ground = await layGround(() => real, newDiskWorld());
  const broken: string[] = [];
  const sample = Array.from({ length: 40 }, () => TROUBLES).flat();
  for (const trouble of sample.filter((_, i) => inPart(i))) {
    const cell = { trouble, at: 1 + dice(1450), resume: "twice" } as const;
    const { failed, breaks } = await runDiskCell(cell, ground);
    if (breaks.length > 0) broken.push(`${failed} ${replay(FILE, cell)}\n ${breaks.join("\n ")}`);
  }
  await duckdb.close();
  expect(broken, broken.slice(0, 5).join("\n")).toEqual([]);
});
