import { afterAll, describe, test } from "vitest";
import { nightsInto } from "../e2e/s3-nights.js";
import { isRunning, start } from "./servers.js";

const started = [await start("versitygw"), await start("rgw")];
afterAll(async () => {
  for (const server of started.filter(isRunning)) await server.stop();
});

describe("two nights of the refunds job, the second from the bucket alone", () => {
  for (const server of started) {
    const where = isRunning(server) ? server.name : `${server.name}: ${server.missing}`;
    test.skipIf(!isRunning(server))(
      `on ${where}, locked, claims and commits in a bucket without versions`,
      async () => {
        if (!isRunning(server)) return;
        await server.bucket("evidence", { lock: true });
        await server.bucket("control", {});
        await nightsInto({
          AWS_ENDPOINT_URL_S3: server.url,
          TIEOUT_STORE_S3_BUCKET: "evidence",
          TIEOUT_STORE_S3_LOCK_MODE: "governance",
          TIEOUT_STORE_S3_LOCK_SECONDS: "30",
          TIEOUT_STORE_S3_CONTROL_BUCKET: "control",
        });
      },
    );
  }
});
