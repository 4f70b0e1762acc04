import { afterEach, describe, expect, test } from "vitest";
import type { Body } from "../../src/model/body.js";
import { sha256Of, textBody } from "../../src/model/canonical.js";
import type { Key } from "../../src/model/ids.js";
import type { Fault } from "../double/server.js";
import { type Laboratory, laboratory } from "./s3-bench.js";

const key = "refunds/refunds-2026-08-10/a1/discrepancies.csv" as Key;
const body = textBody("seller_id,delta\n1,4118.62\n");
let lab: Laboratory;
afterEach(() => lab.server.close());

/** The first request of a method meets the fault; `times` says how many do. */
function once(method: string, fault: Fault, times = 1) {
  let left = times;
  return (call: { method: string }): Fault | null =>
    call.method === method && left-- > 0 ? fault : null;
}

describe("whatever happens to a PUT, its creator learns whether the object is its own", () => {
  const faults: Fault[] = [
    "reset before",
    "503 before",
    "reset after",
    "503 after",
    "hang after",
    "error body",
  ];
  for (const fault of faults)
    test(`${fault}: one object, and it is mine`, async () => {
      lab = await laboratory(
        { versioned: true },
        { fault: once("PUT", fault), store: { policy: { tries: 4, stall_ms: 300 } } },
      );
      const { mine, stored } = await lab.store.create(key, body);
      expect({ mine, sha256: stored.sha256 }).toEqual({ mine: true, sha256: body.sha256 });
      expect(await lab.store.head(key, stored.version)).toEqual(stored);
      expect(lab.bucket.objects.get(`fin/nightly/${key}`)).toHaveLength(1);
    });

  test("a lost answer and another's object there: it is not mine", async () => {
    lab = await laboratory({}, { fault: once("PUT", "reset before", 2) });
    const theirs = textBody("theirs");
    const [a, b] = await Promise.all([lab.store.create(key, body), lab.store.create(key, theirs)]);
    expect([a.mine, b.mine].filter(Boolean)).toHaveLength(1);
    expect(a.stored).toEqual(b.stored);
  });

  test("a server that never answers is UNKNOWN, and its key may be there or not", async () => {
    for (const [fault, there] of [
      ["reset before", false],
      ["503 before", false],
    ] as const) {
      lab = await laboratory({}, { fault: ({ method }) => (method === "PUT" ? fault : null) });
      await expect(lab.store.create(key, body)).rejects.toMatchObject({ code: "UNKNOWN" });
      expect((await lab.store.head(key)) !== null).toBe(there);
      await lab.server.close();
    }
    lab = await laboratory({}, { fault: () => "reset before" });
    await expect(lab.store.head(key)).rejects.toMatchObject({ code: "UNKNOWN" });
    await expect(lab.store.list("" as Key)).rejects.toMatchObject({ code: "UNKNOWN" });
  });
});

describe("whatever happens to a GET, no other bytes than the stored come out", () => {
  for (const fault of ["truncated", "flipped", "reset after", "503 after"] as const)
    test(`${fault}, once: it is read again`, async () => {
      lab = await laboratory({}, { fault: once("GET", fault) });
      const { stored } = await lab.store.create(key, body);
      expect(await lab.store.text(key)).toBe("seller_id,delta\n1,4118.62\n");
      expect(await lab.store.fetch(stored, lab.to(`get-${fault}`))).toMatchObject({
        sha256: body.sha256,
      });
    });

  test("always flipped is DAMAGED, always cut short is UNKNOWN", async () => {
    for (const [fault, code] of [
      ["flipped", "DAMAGED"],
      ["truncated", "UNKNOWN"],
    ] as const) {
      lab = await laboratory({}, { fault: ({ method }) => (method === "GET" ? fault : null) });
      const { stored } = await lab.store.create(key, body);
      await expect(lab.store.text(key)).rejects.toMatchObject({ code });
      await expect(lab.store.fetch(stored, lab.to(fault))).rejects.toMatchObject({ code });
      await lab.server.close();
    }
    lab = await laboratory({});
  });
});

test("a clock that is an hour off is corrected by the server's answer", async () => {
  lab = await laboratory({ lock: true }, { now: () => Date.now() + 3_600_000 });
  const { stored } = await lab.store.create(key, body);
  expect(Math.abs((await lab.store.now()) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  const { until } = await lab.store.retention(stored);
  expect(Date.parse(until ?? "")).toBeGreaterThan(Date.now() + 3_500_000);
});

test("a wrong key or secret is STORE, says no secret, and is not asked forever", async () => {
  for (const keys of [{ accessKeyId: "other", secretAccessKey: "x" }]) {
    lab = await laboratory({}, { store: { credentials: keys } });
    const refused = lab.store.create(key, body).catch((e: unknown) => JSON.stringify(e));
    expect(await refused).toMatch(/"code":"STORE".*403/);
    expect(await refused).not.toContain("testsecret");
  }
});

describe("an object in parts", () => {
  const bytes = Buffer.from("0123456789abcdef".repeat(4096));
  const large: Body = {
    sha256: sha256Of(bytes),
    size_bytes: bytes.byteLength,
    open: async function* () {
      for (let at = 0; at < bytes.byteLength; at += 1000) yield bytes.subarray(at, at + 1000);
    },
  };
  const parts = { threshold_bytes: 10_000, part_bytes: 20_000 };

  test("is whole, is created once and leaves no upload behind", async () => {
    lab = await laboratory({ lock: true }, { store: { parts } });
    const { mine, stored } = await lab.store.create(key, large, { owner: "finance" });
    expect(mine).toBe(true);
    expect(await lab.store.head(key, stored.version)).toEqual(stored);
    expect(await lab.store.fetch(stored, lab.to("parts"))).toMatchObject({ sha256: large.sha256 });
    expect((await lab.store.create(key, textBody("x"))).mine).toBe(false);
    expect(lab.server.uploads.size).toBe(0);
    expect((await lab.store.retention(stored)).until).not.toBeNull();
  });

  test("whose bytes are not those announced is aborted", async () => {
    lab = await laboratory({}, { store: { parts } });
    const other = { ...large, sha256: sha256Of("other") };
    await expect(lab.store.create(key, other)).rejects.toMatchObject({ code: "STORE" });
    expect(lab.server.uploads.size).toBe(0);
    expect(await lab.store.list("" as Key)).toEqual([]);
  });

  test("with a part, or the last answer, lost is whole all the same", async () => {
    for (const [method, fault] of [
      ["PUT", "reset after"],
      ["POST", "reset after"],
    ] as const) {
      let posts = 0;
      let left = 1;
      lab = await laboratory(
        {},
        {
          store: { parts },
          fault: (call) => {
            if (call.method === "POST") posts++;
            const hit = call.method === method && (method === "PUT" || posts === 2);
            return hit && left-- > 0 ? fault : null;
          },
        },
      );
      expect((await lab.store.create(key, large)).mine).toBe(true);
      expect((await lab.store.head(key))?.sha256).toBe(large.sha256);
      expect(lab.server.uploads.size).toBe(0);
      await lab.server.close();
    }
    lab = await laboratory({});
  });
});

test("tags are metadata, percent-encoded, with the hash among them", async () => {
  lab = await laboratory({});
  await lab.store.create(key, body, { owner: "finance été", job: "refunds" });
  expect(lab.bucket.get(`fin/nightly/${key}`, null).meta).toEqual({
    "x-amz-meta-owner": "finance%20%C3%A9t%C3%A9",
    "x-amz-meta-job": "refunds",
    "x-amz-meta-sha256": body.sha256,
  });
});

test("an object that somebody else made is read once for its hash", async () => {
  lab = await laboratory({}, { quirks: { no_checksum_in_head: true } });
  const { contentOf } = await import("../double/bucket.js");
  const content = { ...contentOf(Buffer.from("theirs")), meta: {}, locked: null };
  lab.bucket.put(`fin/nightly/${key}`, content, { if_none_match: true, if_match: null });
  expect((await lab.store.head(key))?.sha256).toBe(sha256Of("theirs"));
});

test("after somebody overwrote a key, a version still gives the old bytes", async () => {
  lab = await laboratory({ versioned: true });
  const { contentOf } = await import("../double/bucket.js");
  const { stored } = await lab.store.create(key, body);
  const content = { ...contentOf(Buffer.from("theirs")), meta: {}, locked: null };
  lab.bucket.put(`fin/nightly/${key}`, content, { if_none_match: false, if_match: null });
  expect(await lab.store.head(key, stored.version)).toEqual(stored);
  expect(await lab.store.text(key, stored.version)).toBe("seller_id,delta\n1,4118.62\n");
  expect((await lab.store.head(key))?.sha256).toBe(sha256Of("theirs"));
});
