import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Key, Path } from "../../src/model/ids.js";
import { type S3Options, s3Store } from "../../src/stores/s3.js";
import { liesOf } from "./agreement.js";
import { type Network, startNetwork, TROUBLES } from "./network.js";
import { isRunning, start } from "./servers.js";
import { ACTS } from "./truth.js";

// The same calls and troubles as test/stores/s3-network.test.ts has with the double.
const gateway = await start("versitygw");
const running = isRunning(gateway) ? gateway : null;
if (!isRunning(gateway)) console.warn(`versitygw: ${gateway.missing}`);

const dir = mkdtempSync(join(tmpdir(), "tieout-truths-"));
let options: S3Options;
let network: Network;
beforeAll(async () => {
  if (running === null) return;
  options = await running.bucket("truths", { versioned: true });
  network = await startNetwork(running.url);
});
afterAll(async () => {
  await network?.close();
  await running?.stop();
  rmSync(dir, { recursive: true, force: true });
});

let made = 0;
function bench() {
  const key = `evidence/${++made}` as Key;
  const policy = { tries: 3, stall_ms: 400 };
  const direct = s3Store(options);
  const through = s3Store({ ...options, endpoint: network.endpoint, policy });
  return { key, at: { direct, through, to: (name: string) => join(dir, name) as Path } };
}

describe.skipIf(running === null)("before versitygw", () => {
  for (const trouble of TROUBLES)
    test.each(Object.keys(ACTS))(
      `where a request meets: ${trouble}, %s says nothing that is not so`,
      async (act) => {
        expect(await liesOf(act, trouble, network, bench)).toEqual([]);
      },
    );
});
