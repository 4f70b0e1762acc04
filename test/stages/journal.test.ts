import { expect, test } from "vitest";
import type { Path } from "../../src/model/ids.js";
import { append, readWhole } from "../../src/stages/journal.js";
import { openLab } from "./lab.js";

const JOURNAL = "/runs/journal.jsonl" as Path;

async function journal(events: readonly string[]) {
  const lab = await openLab();
  const { fx } = lab.start("first");
  await fx.folder.make("/runs" as Path);
  for (const [n, event] of events.entries()) await append(JOURNAL, event, { n }, fx);
  return { lab, fx };
}

test("each line follows the one before it", async () => {
  const { fx } = await journal(["claim", "pin", "step"]);
  const { lines, torn, damage } = await readWhole(JOURNAL, fx);
  expect(lines.map((l) => [l.seq, l.event])).toEqual([
    [1, "claim"],
    [2, "pin"],
    [3, "step"],
  ]);
  expect({ torn, damage }).toEqual({ torn: false, damage: null });
});

test("a torn last line is no line, and the next one takes its place", async () => {
  const { lab, fx } = await journal(["claim", "pin"]);
  const whole = await fx.folder.text(JOURNAL);
  await lab.world.bytes.write(JOURNAL, Buffer.from(whole.slice(0, -5)));
  await append(JOURNAL, "step", {}, fx);
  expect((await readWhole(JOURNAL, fx)).lines.map((l) => l.event)).toEqual(["claim", "step"]);
});

test("a line that was changed is damage, named by its number; nothing is added to it", async () => {
  const { lab, fx } = await journal(["claim", "pin", "step"]);
  const changed = (await fx.folder.text(JOURNAL)).replace('"event":"pin"', '"event":"pan"');
  await lab.world.bytes.write(JOURNAL, Buffer.from(changed));
  await expect(append(JOURNAL, "close", {}, fx)).rejects.toMatchObject({
    code: "DAMAGED",
    at: { line: 3 },
  });
  expect(await fx.folder.text(JOURNAL)).toBe(changed);
});

test("only the first line may make the journal: a stage without one has lost its place", async () => {
  const { fx } = await journal([]);
  await expect(append(JOURNAL, "pin", {}, fx)).rejects.toMatchObject({ code: "DISK" });
});
