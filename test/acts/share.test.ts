import { describe, expect, test } from "vitest";
import { share } from "../../src/acts/share.js";
import type { Shares } from "../../src/effects.js";
import { TieoutError } from "../../src/model/errors.js";
import { ArtefactName } from "../../src/model/ids.js";
import { sharedKey } from "../../src/model/layout.js";
import { readCommitted } from "../../src/queries/committed.js";
import { readLedger } from "../../src/queries/ledger.js";
import { status } from "../../src/queries/status.js";
import type { Store } from "../../src/stores/store.js";
import { DATES } from "../faults/scenes.js";
import { type Lab, openLab } from "../stages/lab.js";
import { RUN } from "./acting.js";

const BREAKS = ArtefactName.parse("breaks.csv");
const TO = sharedKey(RUN, BREAKS);

/** Destinations over the lab's own store: copies have keys of their own in it. */
function sharedBy(store: () => Pick<Store, "create" | "head">): Shares {
  return { names: ["finance"], open: async () => store() };
}

/** A night whose breaks are shared with finance. */
async function sharing() {
  const lab = await openLab();
  const { job } = lab.loaded;
  const breaks = job.artefacts[BREAKS];
  if (breaks === undefined) throw new Error("the job has no breaks");
  const artefacts = { ...job.artefacts, [BREAKS]: { ...breaks, share: "finance" } };
  const loaded = { ...lab.loaded, job: { ...job, artefacts } };
  const run = (shares?: Shares) =>
    lab.run(DATES.first, { night: "first", loaded, ...(shares === undefined ? {} : { shares }) });
  return { lab, run, place: sharedBy(() => lab.start("first").fx.store) };
}

async function actsOf(lab: Lab) {
  const { fx } = lab.start("first");
  const run = await readCommitted(RUN, fx);
  if (run === null) throw new Error("the run is not committed");
  return readLedger(run, fx);
}

const down: Shares = sharedBy(() => {
  throw new TieoutError("STORE", {
    subject: "finance",
    cause: "the share is not mounted",
    remedy: "mount it",
  });
});

describe("a shared artefact", () => {
  test("is copied under a readable name before the folder goes, and the ledger has its hash", async () => {
    const { lab, run, place } = await sharing();
    const outcome = await run(place);
    expect(TO).toBe(`cards/${DATES.first}/breaks.csv`);
    expect(outcome).toMatchObject({
      exit: 0,
      pending: null,
      shares: [{ state: "shared", to: TO }],
    });
    const kept = outcome.run.manifest.artefacts.find((a) => a.path === BREAKS);
    expect(await lab.stored(TO)).toBe(await lab.stored(`cards/${RUN}/a1/breaks.csv`));
    expect((await actsOf(lab)).map(({ kind, detail }) => ({ kind, detail }))).toEqual([
      {
        kind: "share",
        detail: {
          destination: "finance",
          files: [{ path: BREAKS, to: TO, sha256: kept?.sha256, size_bytes: kept?.size_bytes }],
        },
      },
    ]);
  });

  test("of a run again is not copied again", async () => {
    const { lab, run, place } = await sharing();
    await run(place);
    const again = await run(down);
    expect(again).toMatchObject({ exit: 0, repeated: true, shares: [{ state: "shared" }] });
    expect(await actsOf(lab)).toHaveLength(1);
  });

  test("that cannot be copied leaves a committed run pending, and is made up for from the store", async () => {
    const { lab, run, place } = await sharing();
    const why = "the share is not mounted";
    const first = await run(down);
    expect(first).toMatchObject({ exit: 10, pending: null, shares: [{ state: "pending", why }] });
    expect(await lab.onDisk(`${RUN}/a1/breaks.csv`), "the folder is gone").toBeNull();
    const { fx } = lab.start("first", { shares: place });
    expect(await share(first.run, fx)).toMatchObject([{ state: "shared" }]);
    expect(await actsOf(lab)).toHaveLength(1);
  });

  test("never takes the place of other bytes", async () => {
    const { lab, run, place } = await sharing();
    const { head } = lab.start("first").fx.store;
    const blocked: Shares = sharedBy(() => ({
      head,
      create: async (key) => ({
        mine: false,
        stored: { key, version: "1", sha256: "0".repeat(64) as never, size_bytes: 1 },
      }),
    }));
    const first = await run(blocked);
    expect(first).toMatchObject({
      exit: 10,
      shares: [{ state: "pending", why: expect.stringMatching(/other bytes/) }],
    });
    expect(first.shares[0]?.why).toContain(TO);
    expect(await run(place)).toMatchObject({ exit: 0, repeated: true });
  });

  test("whose copy is there but not yet on the ledger is recorded, not copied twice", async () => {
    const { lab, run, place } = await sharing();
    const first = await run(down);
    const { fx } = lab.start("first", { shares: place });
    const lost = { ...fx, store: { ...fx.store, create: deadLedger(fx.store) } };
    expect(await share(first.run, lost)).toMatchObject([{ state: "pending" }]);
    expect(await lab.stored(TO)).not.toBe("");
    expect(await share(first.run, fx)).toMatchObject([{ state: "shared" }]);
    expect(await actsOf(lab)).toHaveLength(1);
  });

  test("with a destination that nobody configured is told as not shared, by the run and by status", async () => {
    const { lab, run } = await sharing();
    const told = [{ state: "not shared", why: "no destination finance is configured" }];
    expect(await run()).toMatchObject({ exit: 0, pending: null, shares: told });
    expect((await status(RUN, lab.start("first").fx)).shares).toMatchObject(told);
    expect(await actsOf(lab)).toEqual([]);
  });
});

function deadLedger(store: Store): Store["create"] {
  return async (key, body, tags) => {
    if (!key.includes("/ledger/")) return store.create(key, body, tags);
    throw new TieoutError("STORE", { subject: key, cause: "it is down", remedy: "wait" });
  };
}
