import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Key, Path } from "../../src/model/ids.js";
import { s3Store } from "../../src/stores/s3.js";
import { type Double, double } from "../double/server.js";
import { liesOf } from "../services/agreement.js";
import { type Network, startNetwork, TROUBLES } from "../services/network.js";
import { ACTS, type Bench } from "../services/truth.js";
import { optionsFor } from "./s3-bench.js";

const dir = mkdtempSync(join(tmpdir(), "tieout-network-"));
let server: Double;
let network: Network;
beforeAll(async () => {
  server = await double();
  network = await startNetwork(server.url);
});
afterAll(async () => {
  await network.close();
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

let made = 0;
function bench(): { readonly key: Key; readonly at: Bench } {
  const bucket = `bucket-${++made}`;
  server.bucket(bucket, { versioned: true });
  const options = { ...optionsFor(server, false), bucket };
  const policy = { tries: 3, stall_ms: 60 };
  const at = {
    direct: s3Store(options),
    through: s3Store({ ...options, endpoint: network.endpoint, policy }),
    to: (name: string) => join(dir, `${name}-${made}`) as Path,
  };
  return { key: "evidence/a" as Key, at };
}

describe.each(TROUBLES)("on a network where a request meets: %s,", (trouble) => {
  test.each(Object.keys(ACTS))("%s says nothing that is not so", async (act) => {
    expect(await liesOf(act, trouble, network, bench)).toEqual([]);
  });
});
