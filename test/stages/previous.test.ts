import { expect, test } from "vitest";
import { DATES } from "../faults/scenes.js";
import { openLab } from "./lab.js";

const nights = async () => {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  await lab.run(DATES.second, { night: "second" });
  return lab;
};
const before = (run: {
  readonly manifest: { readonly previous: readonly { run_id: string | null }[] };
}) => run.manifest.previous.map((p) => p.run_id);

test("the first run of a job has no rows of a run before", async () => {
  const lab = await openLab();
  const { run } = await lab.run(DATES.first, { night: "first" });
  expect(run.manifest.previous).toMatchObject([{ name: "breaks", run_id: null, rows: 0 }]);
});

test("previous is the greatest date strictly before, in its highest revision", async () => {
  const lab = await nights();
  const restated = await lab.run(DATES.second, { night: "corrected", revision: 2 });
  expect(before(restated.run), "strictly before its own date").toEqual(["cards-2026-08-03"]);
  const third = await lab.run(DATES.third, { night: "first" });
  expect(before(third.run)).toEqual(["cards-2026-08-10-r2"]);
  const kept = third.run.manifest.previous[0];
  const breaks = restated.run.manifest.artefacts.find((a) => a.path === "breaks.csv");
  expect([kept?.sha256, kept?.rows]).toEqual([breaks?.sha256, breaks?.rows]);
});

test("a run of an earlier date, made later, does not read what came after it", async () => {
  const lab = await openLab();
  await lab.run(DATES.second, { night: "second" });
  const { run } = await lab.run(DATES.first, { night: "first" });
  expect(before(run)).toEqual([null]);
});

test("a restated run says what it supersedes and why, and nothing of the first is changed", async () => {
  const lab = await nights();
  const store = (await lab.world.look()).store;
  const { run } = await lab.run(DATES.second, { night: "corrected", revision: 2 });
  expect(run.manifest.supersedes).toEqual({
    run_id: "cards-2026-08-10",
    reason: "a corrected export came",
  });
  const after = (await lab.world.look()).store;
  for (const [key, bytes] of store) expect(after.get(key), key).toEqual(bytes);
});

test("a run whose previous artefact is required fails without one, before anything is computed", async () => {
  const lab = await openLab();
  const { job } = lab.loaded;
  const loaded = { ...lab.loaded, job: { ...job, previous: { breaks: { required: true } } } };
  const calls: string[] = [];
  const how = {
    night: "first",
    loaded,
    before: async (_: number, c: string) => void calls.push(c),
  };
  expect(await lab.fails(DATES.first, { ...how, night: "first" })).toBe("PREVIOUS_MISSING");
  expect(calls.filter((c) => c.startsWith("evaluate"))).toEqual([]);
});

test("a previous artefact that the store lost or damaged is DAMAGED, never an empty one", async () => {
  for (const how of ["lose", "rot"] as const) {
    const lab = await openLab();
    await lab.run(DATES.first, { night: "first" });
    lab.world[how]("store", "cards/cards-2026-08-03/a1/breaks.csv");
    expect(await lab.fails(DATES.second, { night: "second" }), how).toBe("DAMAGED");
  }
});

test("a previous artefact that changed on the disk after it was pinned is seen before anything is kept", async () => {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  let struck = false;
  const strike = async (_: number, call: string): Promise<void> => {
    if (struck || !call.endsWith("/1.accounts.xlsx")) return;
    struck = true;
    lab.world.rot("disk", "cards-2026-08-10/a1/previous/breaks.breaks.csv");
  };
  expect(await lab.fails(DATES.second, { night: "second", before: strike })).toBe("DAMAGED");
});
