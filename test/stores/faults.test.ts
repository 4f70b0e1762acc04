import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { faultyDisk } from "../../src/folders/faulty.js";
import type { Body } from "../../src/model/body.js";
import { textBody } from "../../src/model/canonical.js";
import { isTieout } from "../../src/model/errors.js";
import { type FaultPlan, faultsOf, Killed } from "../../src/model/fault.js";
import type { Key, Path } from "../../src/model/ids.js";
import { directoryStore } from "../../src/stores/dir.js";
import { faultyStore } from "../../src/stores/faulty.js";
import { memoryStore } from "../../src/stores/memory.js";
import { readOnlyStore } from "../../src/stores/readonly.js";
import type { Store, Stored } from "../../src/stores/store.js";
import { unsyncedDisk } from "../folders/unsynced.js";

const base = fs.mkdtempSync(join(tmpdir(), "tieout-store-faults-"));
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

const NEW = "refunds/r/a1/new.csv" as Key;
const OLD = "refunds/r/a1/old.csv" as Key;
/** An object whose creator died before it wrote the sidecar. */
const BARE = "refunds/r/a1/bare.csv" as Key;
const TEXT = "amount\n0.10\n-4118.62\n";

interface Room {
  readonly dir: string;
  readonly body: Body;
  readonly old: Stored;
  readonly to: Path;
}

let made = 0;
/** Objects as a store leaves them, written at one go because the loops need thousands of rooms. */
function room(): Room {
  const at = join(base, String(++made));
  const dir = join(at, "store");
  const { sha256, size_bytes, open } = textBody(TEXT);
  const version = sha256.slice(0, 16);
  for (const key of [OLD, BARE]) {
    fs.mkdirSync(dirname(join(dir, key)), { recursive: true });
    fs.writeFileSync(join(dir, key), TEXT, { mode: 0o444 });
  }
  const sidecar = join(dir, ".tieout", `${OLD}.json`);
  const mtime_ms = fs.statSync(join(dir, OLD)).mtimeMs;
  fs.mkdirSync(dirname(sidecar), { recursive: true });
  fs.writeFileSync(sidecar, JSON.stringify({ sha256, size_bytes, version, mtime_ms, tags: {} }));
  fs.writeFileSync(join(at, "body"), TEXT);
  return {
    dir,
    body: { sha256, size_bytes, open, file: join(at, "body") },
    old: { key: OLD, sha256, size_bytes, version },
    to: join(at, "fetched") as Path,
  };
}

const whole = (path: string): void => expect(fs.readFileSync(path, "utf8"), path).toBe(TEXT);

type Call = (store: Store, r: Room) => Promise<unknown>;
const CALLS: Readonly<Record<string, { call: Call; answer: (r: Room) => unknown }>> = {
  "create of a file": {
    call: (s, r) => s.create(NEW, r.body),
    answer: (r) => ({ mine: true, stored: { ...r.old, key: NEW } }),
  },
  "create of a stream": {
    call: (s) => s.create(NEW, textBody(TEXT)),
    answer: (r) => ({ mine: true, stored: { ...r.old, key: NEW } }),
  },
  "create of what is there": {
    call: (s) => s.create(OLD, textBody("other")),
    answer: (r) => ({ mine: false, stored: r.old }),
  },
  head: { call: (s) => s.head(OLD), answer: (r) => r.old },
  "head without a sidecar": {
    call: (s) => s.head(BARE),
    answer: (r) => ({ ...r.old, key: BARE }),
  },
  text: { call: (s) => s.text(OLD), answer: () => TEXT },
  list: { call: (s) => s.list("refunds/" as Key), answer: () => [BARE, OLD] },
  fetch: {
    call: (s, r) => s.fetch(r.old, r.to),
    answer: ({ old: { sha256, size_bytes } }) => ({ sha256, size_bytes }),
  },
};

interface Variant {
  readonly mode: FaultPlan["mode"];
  readonly times: FaultPlan["times"];
  readonly code: "EIO" | "ENOSPC" | "EACCES";
}
const VARIANTS: readonly Variant[] = [
  { mode: "before", times: "once", code: "EIO" },
  { mode: "before", times: "once", code: "ENOSPC" },
  { mode: "before", times: "onward", code: "EACCES" },
  { mode: "after", times: "once", code: "EIO" },
  { mode: "torn", times: "once", code: "ENOSPC" },
  { mode: "kill", times: "onward", code: "EIO" },
];

/** Whatever happened: every name is a whole object, and STORE means that there is none. */
async function mustBeSound(r: Room, failure: unknown): Promise<void> {
  whole(join(r.dir, OLD));
  whole(join(r.dir, BARE));
  const there = fs.existsSync(join(r.dir, NEW));
  if (there) whole(join(r.dir, NEW));
  if (isTieout(failure, "STORE")) expect(there, "STORE: surely no effect").toBe(false);
  if (fs.existsSync(r.to)) whole(r.to);
  const store = directoryStore(r.dir, { disk: unsyncedDisk });
  expect(await store.list("" as Key)).toEqual(there ? [BARE, NEW, OLD] : [BARE, OLD]);
  if (there) expect(await store.head(NEW)).toEqual({ ...r.old, key: NEW });
}

async function retried(r: Room, call: Call): Promise<void> {
  const answer = await call(directoryStore(r.dir, { disk: unsyncedDisk }), r).catch((e) => {
    if (!isTieout(e, "EXISTS")) throw e;
    whole(r.to);
  });
  expect(JSON.stringify(answer) ?? "").not.toContain("null");
  expect(await directoryStore(r.dir, { disk: unsyncedDisk }).text(BARE)).toBe(TEXT);
}

describe("a fault at any disk call of a directory store", () => {
  for (const [name, { call, answer }] of Object.entries(CALLS))
    for (const { code, ...plan } of VARIANTS)
      test(`in ${name} (${plan.mode} ${plan.times}, ${code}) leaves whole objects only`, async () => {
        for (let at = 1, failed: string | null = ""; failed !== null; at++) {
          const r = room();
          const faults = faultsOf({ ...plan, at });
          const store = directoryStore(r.dir, { disk: faultyDisk(unsyncedDisk, faults, code) });
          let failure: unknown = null;
          try {
            expect(await call(store, r)).toEqual(answer(r));
          } catch (e) {
            failure = e;
            const told = ["UNKNOWN", "STORE", "DISK", "DISK_FULL"] as const;
            const known = told.some((c) => isTieout(e, c)) || e instanceof Killed;
            expect(known, `${faults.failed}: ${e}`).toBe(true);
          }
          await mustBeSound(r, failure);
          await retried(r, call);
          failed = faults.failed;
          expect(failed !== null || failure === null).toBe(true);
          fs.rmSync(join(r.dir, ".."), { recursive: true });
        }
      });

  test("a write that is a lie never becomes an object", async () => {
    for (let at = 1, failed: string | null = ""; failed !== null; at++) {
      const r = room();
      const faults = faultsOf({ at, mode: "lie", times: "onward" });
      const store = directoryStore(r.dir, { disk: faultyDisk(unsyncedDisk, faults) });
      const failure = await store.create(NEW, textBody(TEXT)).then(
        () => null,
        (e: unknown) => e,
      );
      await mustBeSound(r, failure);
      failed = faults.failed;
    }
  });
});

describe("a store that fails as planned", () => {
  const create = (store: Store) => store.create(NEW, textBody(TEXT));

  test("that loses the response has the effect and says UNKNOWN", async () => {
    const memory = memoryStore();
    const store = faultyStore(memory, faultsOf({ at: 1, mode: "after", times: "once" }));
    await expect(create(store)).rejects.toMatchObject({ code: "UNKNOWN" });
    expect(await memory.text(NEW)).toBe(TEXT);
    expect((await create(store)).mine).toBe(false);
  });

  test("that is down has no effect, from its first failure on", async () => {
    const memory = memoryStore();
    const faults = faultsOf({ at: 2, mode: "before", times: "onward" });
    const store = faultyStore(memory, faults);
    expect(await store.head(NEW)).toBeNull();
    await expect(create(store)).rejects.toMatchObject({ code: "UNKNOWN" });
    await expect(store.list("" as Key)).rejects.toMatchObject({ code: "UNKNOWN" });
    expect(await memory.head(NEW)).toBeNull();
    expect(faults.calls).toEqual([`head ${NEW}`, `create ${NEW}`, "list"]);
    expect(faults.failed).toBe(`create ${NEW}`);
  });

  test("that refuses says STORE and has no effect", async () => {
    const memory = memoryStore();
    const plan = { at: 1, mode: "before", times: "once" } as const;
    const store = faultyStore(memory, faultsOf(plan), "STORE");
    await expect(create(store)).rejects.toMatchObject({ code: "STORE" });
    expect(await memory.head(NEW)).toBeNull();
  });

  test("that is read-only answers and keeps nothing new", async () => {
    const memory = memoryStore();
    await memory.create(OLD, textBody(TEXT));
    const store = readOnlyStore(memory);
    await expect(create(store)).rejects.toMatchObject({ code: "STORE", subject: NEW });
    expect(await store.text(OLD)).toBe(TEXT);
    expect(await store.list("" as Key)).toEqual([OLD]);
  });
});
