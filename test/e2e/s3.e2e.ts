import { afterAll, beforeAll, expect, test } from "vitest";
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
