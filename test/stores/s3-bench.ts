import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Key, Path } from "../../src/model/ids.js";
import { type S3Options, s3Store } from "../../src/stores/s3.js";
import type { Timing } from "../../src/stores/s3-retry.js";
import type { Store } from "../../src/stores/store.js";
import type { Bucket } from "../double/bucket.js";
import { type Double, type DoubleOptions, double } from "../double/server.js";
import type { StoreBench } from "../store.contract.js";

/** Real time, and pauses between tries that take none. */
export const timing: Timing = {
  now: () => Date.now(),
  random: () => 0,
  after: (ms, f) => {
    const timer = setTimeout(f, ms);
    return () => clearTimeout(timer);
  },
};

export interface Laboratory {
  readonly store: Store;
  readonly bucket: Bucket;
  readonly server: Double;
  readonly to: (name: string) => Path;
}

/** A store on a double of its own. Close the server. */
export async function laboratory(
  kind: { versioned?: boolean; lock?: boolean },
  options: DoubleOptions & { readonly store?: Partial<S3Options> } = {},
): Promise<Laboratory> {
  const server = await double(options);
  const bucket = server.bucket("evidence", kind);
  const store = s3Store({ ...optionsFor(server, kind.lock ?? false), ...options.store });
  return { store, bucket, server, to };
}

export function optionsFor(server: Double, lock: boolean): S3Options {
  return {
    bucket: "evidence",
    prefix: "fin/nightly",
    endpoint: server.url,
    region: "us-east-1",
    path_style: true,
    ca_file: null,
    credentials: { accessKeyId: server.keys.id, secretAccessKey: server.keys.secret },
    lock: lock ? { mode: "governance", seconds: 5 } : null,
    timing,
    policy: { tries: 4, stall_ms: 2_000 },
  };
}

const cache = fs.mkdtempSync(join(tmpdir(), "tieout-s3-"));
process.once("exit", () => fs.rmSync(cache, { recursive: true, force: true }));
let made = 0;
function to(name: string): Path {
  return join(cache, `${name}.${made}`) as Path;
}

/** What the store's contract needs, on one double for all of its tests: a bucket for each. */
export function contractBench(kind: { versioned?: boolean; lock?: boolean }): () => StoreBench {
  let server: Double;
  beforeAll(async () => {
    server = await double({ page: 3 });
  });
  afterAll(() => server.close());
  return () => {
    const name = `bucket-${++made}`;
    const bucket = server.bucket(name, kind);
    const full = (key: Key): string => `fin/nightly/${key}`;
    return {
      store: s3Store({ ...optionsFor(server, kind.lock ?? false), bucket: name }),
      damage: (key) => bucket.damage(full(key)),
      lose: (key) => void bucket.objects.delete(full(key)),
      to,
      read: (path) => (fs.existsSync(path) ? fs.readFileSync(path) : null),
    };
  };
}
