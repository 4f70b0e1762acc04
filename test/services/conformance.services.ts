import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textBody } from "../../src/model/canonical.js";
import { type DoctorAnswer, diagnosis, type Probe } from "../../src/model/capabilities.js";
import type { Key, Path } from "../../src/model/ids.js";
import { s3Store } from "../../src/stores/s3.js";
import { sdk } from "../../src/stores/s3-client.js";
import { probeS3 } from "../../src/stores/s3-probe.js";
import { double } from "../double/server.js";
import { type StoreBench, storeContract } from "../store.contract.js";
import { clientOn, isRunning, type Kind, optionsOn, type Server, start } from "./servers.js";

const KINDS = {
  plain: {},
  versions: { versioned: true },
  lock: { versioned: true, lock: true },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof KINDS;

const started = await Promise.all([start("versitygw"), start("rclone"), start("rgw")]);
const real = started.filter(isRunning);
const servers: Server[] = [await doubleServer(), ...real];
const names = servers.map((s) => s.name);
const cache = fs.mkdtempSync(join(tmpdir(), "tieout-services-"));
afterAll(async () => {
  for (const server of servers) await server.stop();
  fs.rmSync(cache, { recursive: true, force: true });
});

for (const s of started)
  test.skipIf(!isRunning(s))(isRunning(s) ? `${s.name} runs` : `${s.name}: ${s.missing}`, () => {
    expect(isRunning(s)).toBe(true);
  });

/** The in-process double as one of the servers, so that it stays honest. */
async function doubleServer(): Promise<Server> {
  const server = await double();
  const bucket = async (name: string, { versioned = false, lock = false }: Kind) => {
    server.bucket(name, { versioned, lock });
    return optionsOn(server.url, name, lock);
  };
  return { name: "double", url: server.url, bucket, stop: server.close };
}

const answers = new Map<string, DoctorAnswer>();
async function examined(server: Server, kind: KindName): Promise<DoctorAnswer> {
  const options = await server.bucket(`doctor-${kind}`, KINDS[kind]);
  const answer = diagnosis("s3", "", await probeS3(options, null));
  answers.set(`${server.name} ${kind}`, answer);
  return answer;
}
const failed = (answer: DoctorAnswer): string[] =>
  answer.probes.filter((p) => p.needed && !p.holds).map((p) => p.probe);

describe("doctor", () => {
  for (const server of servers)
    for (const kind of ["plain", "versions", "lock"] as const)
      test.skipIf(server.name === "rclone" && kind === "lock")(
        `of a bucket with ${kind} on ${server.name}`,
        async () => {
          const answer = await examined(server, kind);
          if (server.name === "rclone") expect(answer.fit).toBe(false);
          else if (server.name === "rgw" && kind !== "plain")
            expect(failed(answer)).toEqual(CREATES);
          else expect(failed(answer)).toEqual([]);
        },
      );

  const rgw = servers.find((s) => s.name === "rgw");
  test.skipIf(rgw === undefined)(
    "is content with rgw once claims have their own bucket",
    async () => {
      if (rgw === undefined) return;
      const main = await rgw.bucket("split-main", KINDS.lock);
      const control = await rgw.bucket("split-control", KINDS.plain);
      expect(diagnosis("s3", "", await probeS3(main, control)).will).toEqual(["keep runs here"]);
    },
  );

  test("side by side", () => {
    for (const kind of ["plain", "versions", "lock"] as const)
      process.stdout.write(`\n${kind}\n${sideBySide(kind)}`);
  });
});

const CREATES = ["a second conditional create", "a race of 8 conditional creates"];

function sideBySide(kind: KindName): string {
  const of = (name: string): readonly Probe[] => answers.get(`${name} ${kind}`)?.probes ?? [];
  const probes = [...new Set(names.flatMap((n) => of(n).map((p) => p.probe)))];
  const cell = (name: string, probe: string): string => {
    const found = of(name).find((p) => p.probe === probe);
    return found === undefined ? "-" : `${found.holds ? "" : "! "}${found.found}`;
  };
  const rows = [["probe", ...names], ...probes.map((p) => [p, ...names.map((n) => cell(n, p))])];
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((r) => r[i]?.length ?? 0))) ?? [];
  return rows.map((r) => `${r.map((c, i) => c.padEnd(widths[i] ?? 0)).join("  ")}\n`).join("");
}

let made = 0;
// In a bucket with versions nobody can lose or change what a receipt names, so that the contract's
// two ways to be let down cannot be played there.
for (const server of real.filter((s) => s.name !== "rclone"))
  describe(`the store's contract on ${server.name}`, () => {
    const name = "contract";
    beforeAll(async () => {
      await server.bucket(name, {});
    });
    storeContract(() => benchOn(server, name));
  });

for (const server of servers.filter((s) => s.name !== "rclone"))
  describe(`retention on ${server.name}`, () => {
    test("a locked version outlives whoever overwrites and deletes its key", async () => {
      const options = await server.bucket("retention-lock", KINDS.lock);
      const store = s3Store(options);
      const key = "a/b.csv" as Key;
      const { stored } = await store.create(key, textBody("4118.62"));
      const client = clientOn(server.url);
      const at = { Bucket: options.bucket, Key: `${options.prefix}/${key}` };
      await client.send(new sdk.PutObjectCommand({ ...at, Body: "0.00" }));
      await client.send(new sdk.DeleteObjectCommand(at));
      expect(await store.text(key, stored.version)).toBe("4118.62");
      const until = new Date((await store.now()) + 9_000).toISOString();
      const kept = await store.retain(stored, until);
      expect(kept.mode).toBe("governance");
      expect(Date.parse(kept.until ?? "")).toBeGreaterThanOrEqual(Date.parse(until));
      expect(await store.retain(stored, new Date(0).toISOString())).toEqual(kept);
      await expect(store.remove(stored)).rejects.toMatchObject({ code: "RETAINED" });
      expect((await store.hold(stored, true)).held).toBe(true);
      expect((await store.hold(stored, false)).held).toBe(false);
    });

    test("without a lock it is recorded, extended only, and refused by us", async () => {
      const store = s3Store(await server.bucket("retention-plain", KINDS.plain));
      const key = "a/b.csv" as Key;
      const { stored } = await store.create(key, textBody("4118.62"));
      const later = new Date((await store.now()) + 60_000).toISOString();
      const kept = { until: later, mode: "recorded", held: false };
      expect(await store.retain(stored, later)).toEqual(kept);
      expect(await store.retain(stored, new Date(0).toISOString())).toEqual(kept);
      await expect(store.remove(stored)).rejects.toMatchObject({ code: "RETAINED" });
      expect(await store.list("" as Key)).toEqual([key]);
    });
  });

/** A store below a prefix of its own. */
function benchOn(server: Server, Bucket: string): StoreBench {
  const prefix = `p${++made}`;
  const client = clientOn(server.url);
  return {
    store: s3Store({ ...optionsOn(server.url, Bucket, false), prefix }),
    // Other bytes under the hash that was stored: what a server that lost some bits would answer.
    damage: async (key: string) => {
      const at = { Bucket, Key: `${prefix}/${key}` };
      const { Metadata = {}, Body } = await client.send(new sdk.GetObjectCommand(at));
      const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      await client.send(new sdk.PutObjectCommand({ ...at, Metadata, Body: bytes }));
    },
    lose: async (key: string) => {
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: `${prefix}/${key}` }));
    },
    to: (name: string) => join(cache, `${name}.${made}`) as Path,
    read: (path: Path) => (fs.existsSync(path) ? fs.readFileSync(path) : null),
  };
}
