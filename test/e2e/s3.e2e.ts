import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Bucket } from "../double/bucket.js";
import { type Double, double } from "../double/server.js";
import { tieout, workplace } from "./product.js";
import { nightsInto } from "./s3-nights.js";

let server: Double;
beforeAll(async () => {
  server = await double();
  server.bucket("plain", {});
  server.bucket("locked", { lock: true });
});
afterAll(() => server.close());

test("two nights into a bucket with versions and locks, the second from the bucket alone", async () => {
  await nightsInto({
    AWS_ENDPOINT_URL_S3: server.url,
    TIEOUT_STORE_S3_BUCKET: "locked",
    TIEOUT_STORE_S3_LOCK_MODE: "governance",
    TIEOUT_STORE_S3_LOCK_SECONDS: "30",
  });
});

test("two nights with claims and commits in a bucket of their own", async () => {
  server.bucket("main", { versioned: true });
  await nightsInto({
    AWS_ENDPOINT_URL_S3: server.url,
    TIEOUT_STORE_S3_BUCKET: "main",
    TIEOUT_STORE_S3_CONTROL_BUCKET: "plain",
    TIEOUT_STORE_S3_CONTROL_PREFIX: "control",
  });
});

test("a bucket in which two can create one key is refused before anything is kept", async () => {
  const lax = await double({ quirks: { lax: true } });
  const bucket = lax.bucket("evidence", {});
  const env = {
    AWS_ACCESS_KEY_ID: "tester",
    AWS_SECRET_ACCESS_KEY: "testsecret",
    AWS_ENDPOINT_URL_S3: lax.url,
    TIEOUT_STORE_S3_BUCKET: "evidence",
  };
  const args = ["run", "refunds", "--as-of", "2026-08-03", "--inputs", "exports/2026-08-03"];
  const { exit, err } = await tieout(args, workplace(), env);
  expect(exit).toBe(6);
  expect(err).toContain("two callers can create one key");
  expect(err).not.toContain("testsecret");
  expect([...bucket.objects.keys()]).toEqual([]);
  await lax.close();
});

const RUN = "refunds-2026-08-03";
const ASKED = ["run", "refunds", "--as-of", "2026-08-03", "--inputs", "exports/2026-08-03"];
/** The least that a claim may hold. */
const TTL = ["--ttl-seconds", "10"];
const SECRET = "a-secret-that-nobody-may-see";

function settings(url: string, bucket: string, secret = "testsecret") {
  return {
    AWS_ACCESS_KEY_ID: "tester",
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_ENDPOINT_URL_S3: url,
    TIEOUT_STORE_S3_BUCKET: bucket,
  };
}

/** The objects below a key, as files of a folder. */
function fetched(bucket: Bucket, below: string): string {
  const folder = mkdtempSync(`${tmpdir()}/tieout-fetched-`);
  for (const key of bucket.keys(below)) {
    const to = `${folder}/${key.slice(below.length)}`;
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, bucket.get(key, null).bytes ?? "");
  }
  return folder;
}

describe("what is in the bucket after a run", () => {
  test("checks with sha256sum alone, and the run's folder is gone", async () => {
    const cwd = workplace();
    const bucket = server.bucket("sums", { versioned: true, lock: true });
    expect(await tieout(ASKED, cwd, settings(server.url, "sums"))).toMatchObject({ exit: 0 });
    expect(existsSync(`${cwd}/.tieout/runs/${RUN}`)).toBe(false);
    const folder = fetched(bucket, `refunds/${RUN}/a1/`);
    const said = execFileSync("sha256sum", ["-c", "SHA256SUMS"], { cwd: folder }).toString();
    expect(said).toContain("discrepancies.csv: OK");
    expect(said).not.toContain("FAILED");
    for (const gone of [folder, cwd]) rmSync(gone, { recursive: true });
  });

  test("holds no secret, and neither does anything that was printed on the way", async () => {
    const cwd = workplace();
    const secret = await double({ keys: { id: "tester", secret: SECRET } });
    const bucket = secret.bucket("secrets", { lock: true });
    const env = { ...settings(secret.url, "secrets", SECRET), TIEOUT_LOG_LEVEL: "debug" };
    const asked = [
      ["config"],
      ["config", "--json"],
      ["doctor"],
      ["run", "refunds", "--as-of", "2026-08-04", "--inputs", "nowhere"],
      ASKED,
      [...ASKED, "--json"],
      ["status", RUN, "--json"],
      ["trace", RUN, "discrepancies.csv", "--json"],
      ["recheck", RUN],
    ];
    for (const args of asked) {
      const { out, err } = await tieout(args, cwd, env);
      expect(`${out}${err}`, args.join(" ")).not.toContain(SECRET);
      expect(`${out}${err}`, args.join(" ")).not.toBe("");
    }
    const kept = bucket.keys("").map((key) => bucket.get(key, null));
    expect(kept.length).toBeGreaterThan(10);
    for (const { bytes, meta } of kept)
      expect(`${bytes}${JSON.stringify(meta)}`).not.toContain(SECRET);
    rmSync(cwd, { recursive: true });
    await secret.close();
  });
});

describe("a store that cannot be used is said to be so, with what to do:", () => {
  test("one that goes away amid a run: nothing is told that is not so, and the id is run again", async () => {
    const cwd = workplace();
    const committed = `refunds/${RUN}/committed.json`;
    let down = false;
    const away = await double({
      fault: ({ method, key }) => {
        if (method === "PUT" && key.startsWith(`refunds/${RUN}/a1/`)) down = true;
        return down ? "reset before" : null;
      },
    });
    const before = away.bucket("evidence", { lock: true });
    const env = settings(away.url, "evidence");
    const cut = await tieout([...ASKED, ...TTL], cwd, env);
    expect(cut.exit).toBe(6);
    expect(cut.err).toContain("again");
    expect(before.keys(committed)).toEqual([]);
    expect(existsSync(`${cwd}/.tieout/runs/${RUN}`), "the files wait").toBe(true);
    await away.close();
    const { back, bucket } = await reopened(away.url, before);
    let again = await tieout([...ASKED, ...TTL], cwd, env);
    while (again.exit === 5) again = await tieout([...ASKED, ...TTL], cwd, env);
    expect(again).toMatchObject({ exit: 0, err: "" });
    expect(bucket.keys(committed)).toEqual([committed]);
    expect((await tieout(["recheck", RUN], cwd, env)).out).toContain("is sound");
    await back.close();
    rmSync(cwd, { recursive: true });
  });

  for (const [what, url, bucket, secret, said] of [
    ["a wrong secret", () => server.url, "locked", "wrong-secret", /403/],
    ["a bucket that does not exist", () => server.url, "no-such-bucket", "testsecret", /bucket/],
    ["an address where nobody is", () => "http://127.0.0.1:1", "locked", "testsecret", /store/],
  ] as const)
    test(what, async () => {
      const cwd = workplace();
      const { exit, out, err } = await tieout(ASKED, cwd, settings(url(), bucket, secret));
      expect({ exit, out }).toEqual({ exit: 6, out: "" });
      expect(err).toMatch(said);
      expect(err).not.toContain(secret);
      expect(err).not.toMatch(/^ {4}at /m);
      rmSync(cwd, { recursive: true });
    });
});

/** A server with the same objects at the same address, as after a restart. */
async function reopened(url: string, before: Bucket): Promise<{ back: Double; bucket: Bucket }> {
  const back = await double({ port: Number(new URL(url).port) });
  const bucket = back.bucket("evidence", { lock: true });
  for (const [key, versions] of before.objects) bucket.objects.set(key, versions);
  return { back, bucket };
}
