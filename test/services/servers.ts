import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { S3Options } from "../../src/stores/s3.js";
import { sdk } from "../../src/stores/s3-client.js";
import { timing } from "../stores/s3-bench.js";

export type ServerName = "versitygw" | "rclone" | "rgw";

/** A real server that runs, or why it does not. */
export type Started = Server | { readonly name: ServerName; readonly missing: string };

export interface Server {
  readonly name: string;
  readonly url: string;
  /** A new bucket of a kind; answers how a store is opened on it. */
  readonly bucket: (name: string, kind: Kind) => Promise<S3Options>;
  readonly stop: () => Promise<void>;
}
export interface Kind {
  readonly versioned?: boolean;
  readonly lock?: boolean;
}

/** A first start builds or installs the server. */
const READY_MS = 600_000;
/** The start script's own word for "what I need is not on this machine". */
const ABSENT = 3;

/** Starts `test/services/<name>.sh` in a folder of its own and waits until it answers. */
export async function start(name: ServerName): Promise<Started> {
  const folder = fs.mkdtempSync(join(tmpdir(), `tieout-${name}-`));
  const port = await freePort();
  const script = fileURLToPath(new URL(`${name}.sh`, import.meta.url));
  const child = spawn("bash", [script, folder, String(port)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text: Buffer) => {
    said = `${said}${text}`.slice(-2000);
  });
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const url = `http://127.0.0.1:${port}`;
  const ready = await Promise.race([answers(url), ended]);
  const stop = async (): Promise<void> => {
    await endOf(child, ended);
    fs.rmSync(folder, { recursive: true, force: true });
  };
  if (ready === true) return { name, url, bucket: (n, kind) => bucketOn(url, n, kind), stop };
  await stop();
  if (ready === ABSENT) return { name, missing: said.trim() };
  throw new Error(`${name} did not start (${String(ready)}): ${said}`);
}

export function isRunning(started: Started): started is Server {
  return "url" in started;
}

async function endOf(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill("SIGTERM");
  await ended;
}

async function answers(url: string): Promise<boolean> {
  const until = Date.now() + READY_MS;
  while (Date.now() < until) {
    const there = await fetch(url).then(
      () => true,
      () => false,
    );
    if (there) return true;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  return false;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** How a store is opened on a bucket of a server with our own key. */
export function optionsOn(url: string, bucket: string, lock: boolean): S3Options {
  return {
    bucket,
    prefix: "fin/nightly",
    endpoint: url,
    region: "us-east-1",
    path_style: true,
    ca_file: null,
    credentials: { accessKeyId: "tester", secretAccessKey: "testsecret" },
    lock: lock ? { mode: "governance", seconds: 5 } : null,
    timing,
    policy: { tries: 5, stall_ms: 10_000 },
  };
}

export async function bucketOn(url: string, Bucket: string, kind: Kind): Promise<S3Options> {
  const { versioned = false, lock = false } = kind;
  const options = optionsOn(url, Bucket, lock);
  const client = clientOn(url);
  await client.send(new sdk.CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: lock }));
  if (versioned) {
    const VersioningConfiguration = { Status: "Enabled" as const };
    await client
      .send(new sdk.PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))
      .catch(() => undefined); // a server without versions is one of those to be judged
  }
  return options;
}

export function clientOn(url: string) {
  return new sdk.S3Client({
    endpoint: url,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId: "tester", secretAccessKey: "testsecret" },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}
