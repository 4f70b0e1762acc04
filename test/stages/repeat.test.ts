import { describe, expect, test } from "vitest";
import { isTieout } from "../../src/model/errors.js";
import { RunId } from "../../src/model/ids.js";
import { Claim, Failure } from "../../src/model/records.js";
import { keptText, readCommitted, receiptOf } from "../../src/queries/committed.js";
import { recheck } from "../../src/queries/recheck.js";
import { objectsOf } from "../../src/queries/references.js";
import { DATES } from "../faults/scenes.js";
import { openLab } from "./lab.js";

const RUN = "cards-2026-08-10";
const IN_STORE = `cards/${RUN}`;

async function committed() {
  const lab = await openLab();
  await lab.run(DATES.first, { night: "first" });
  await lab.run(DATES.second, { night: "second" });
  return lab;
}

describe("a committed run that is run again", () => {
  test("is not repeated when the store lost anything that it kept", async () => {
    const { world } = await committed();
    const kept = [...(await world.look()).store.keys()].filter((k) =>
      k.startsWith(`${IN_STORE}/a`),
    );
    expect(kept.length).toBeGreaterThan(8);
    for (const key of kept) {
      const lab = await committed();
      lab.world.lose("store", key);
      expect(await lab.fails(DATES.second, { night: "second" }), key).toBe("DAMAGED");
    }
  });

  test("is UNKNOWN at every call that the store does not answer, and never pending", async () => {
    const lab = await committed();
    const calls: string[] = [];
    const before = async (_: number, call: string): Promise<void> => void calls.push(call);
    await lab.run(DATES.second, { night: "second", before });
    for (const at of calls.keys()) {
      const plan = { at: at + 1, mode: "before", times: "once" } as const;
      const trouble = { plan, hits: "store" } as const;
      const told = await lab
        .run(DATES.second, { night: "second", trouble })
        .then((outcome) => outcome.pending?.code ?? "repeated")
        .catch((e: unknown) => (isTieout(e) ? e.code : e));
      expect(["UNKNOWN", "repeated"], calls[at]).toContain(told);
    }
  });
});

describe("what a store changed in silence, its head going on to say what was stored,", () => {
  const READ = ["committed.json", "manifest.json", "receipts.json"];

  /** Does something with each object of a committed run that was changed; then it is whole again. */
  async function changing(
    work: (key: string, path: string, lab: Awaited<ReturnType<typeof committed>>) => Promise<void>,
  ): Promise<number> {
    const lab = await committed();
    const run = await readCommitted(RunId.parse(RUN), lab.start("second").fx);
    const objects = run === null ? [] : objectsOf(run);
    for (const { doc, path } of objects) {
      lab.world.rot("store", doc.key);
      await work(doc.key, path, lab);
      lab.world.rot("store", doc.key);
    }
    return objects.length;
  }

  test("is DAMAGED where a repeat reads it as a document, and unseen elsewhere", async () => {
    const objects = await changing(async (key, path, lab) => {
      const told = lab
        .run(DATES.second, { night: "second" })
        .then((outcome) => outcome.repeated)
        .catch((e: unknown) => (isTieout(e) ? `${e.code} ${e.subject}` : e));
      expect(await told, path).toBe(READ.includes(path) ? `DAMAGED ${key}` : true);
    });
    expect(objects).toBeGreaterThan(12);
  });

  test("is DAMAGED as the summary of the answer, which is read as a document too", async () => {
    const lab = await committed();
    const { fx } = lab.start("second");
    const { run } = await lab.run(DATES.second, { night: "second" });
    const summary = receiptOf(run, "summary.md");
    lab.world.rot("store", summary.key);
    const read = keptText(summary, fx);
    await expect(read).rejects.toMatchObject({ code: "DAMAGED", subject: summary.key });
  });

  test("is named by recheck, whatever it is, and nothing else is", async () => {
    await changing(async (key, _, lab) => {
      const { sound, breaches } = await recheck(RunId.parse(RUN), lab.start("second").fx);
      expect(sound).toBe(false);
      expect(new Set(breaches.map((b) => b.subject))).toEqual(new Set([key]));
    });
  });
});

describe("a manifest that no commit names", () => {
  test("is on the record of the attempt that comes after it", async () => {
    const lab = await committed();
    lab.world.lose("store", `${IN_STORE}/committed.json`);
    lab.expire();
    const { run } = await lab.run(DATES.second, { night: "second" });
    expect(run.commit.attempt).toBe(2);
    const journal = await lab.stored(`${IN_STORE}/a2/records/journal.jsonl`);
    expect(JSON.parse(journal.split("\n")[0] ?? "").record.uncommitted).toEqual([1]);
  });
});

describe("a fault of the program", () => {
  test("ships what it ended and releases the claim, and is told as itself", async () => {
    const lab = await openLab();
    const bug = new RangeError("row 000468 is odd");
    const sealing = async (_: number, call: string): Promise<void> => {
      if (/^seal .*breaks\.csv$/.test(call)) throw bug;
    };
    const walk = lab.run(DATES.first, { night: "first", before: sealing });
    await expect(walk).rejects.toBe(bug);
    const failed = "cards/cards-2026-08-03/failed/a1/failure.json";
    const { error, stage } = Failure.parse(JSON.parse(await lab.stored(failed)));
    expect([stage, error.code]).toEqual(["compute", "BUG"]);
    expect(JSON.stringify(error)).not.toContain(bug.message);
    const claims = [...(await lab.world.look()).store.keys()].filter((k) => k.includes("/claims/"));
    const last = Claim.parse(JSON.parse(await lab.stored(claims.sort().at(-1) ?? "")));
    expect(last.released).toBe(true);
    expect((await lab.run(DATES.first, { night: "first" })).run.commit.attempt).toBe(2);
  });
});
