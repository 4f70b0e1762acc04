import { createHash } from "node:crypto";
import { constants, promises as fs } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Sealed } from "../model/body.js";
import { Sha256 } from "../model/ids.js";

const BLOCK = 1 << 20;

/**
 * SHA-256 of a file, never through a link. A file of at least 1 MB is read by synchronous 1 MB
 * blocks in a worker thread: that is the fastest way Node has (half the CPU of a stream), and
 * heartbeats go on meanwhile. Fails with Node's own errors.
 */
export async function hashFile(path: string): Promise<Sealed> {
  const small = await readSmall(path);
  if (small === null) return hashInWorker(path);
  return sealedOf(createHash("sha256").update(small).digest("hex"), small.byteLength);
}

/** The bytes of a file below one block; null when it is larger. */
async function readSmall(path: string): Promise<Uint8Array | null> {
  const file = await fs.open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return (await file.stat()).size < BLOCK ? await file.readFile() : null;
  } finally {
    await file.close();
  }
}

function sealedOf(hex: string, size_bytes: number): Sealed {
  return { sha256: Sha256.parse(hex), size_bytes };
}

type Answer =
  | { readonly id: number; readonly hex: string; readonly size: number }
  | { readonly id: number; readonly code: string; readonly message: string };
interface Waiting {
  readonly resolve: (sealed: Sealed) => void;
  readonly reject: (e: Error) => void;
}

// Source text, since a worker file would need a TypeScript loader in tests and none in the package.
const WORKER = `
const { parentPort } = require("node:worker_threads");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const block = Buffer.allocUnsafeSlow(${BLOCK});
parentPort.on("message", ({ id, path }) => {
  let fd;
  try {
    fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    const hash = createHash("sha256");
    let size = 0;
    for (let n; (n = fs.readSync(fd, block, 0, block.length, null)) > 0; size += n)
      hash.update(n === block.length ? block : block.subarray(0, n));
    parentPort.postMessage({ id, hex: hash.digest("hex"), size });
  } catch (e) {
    parentPort.postMessage({ id, code: e.code ?? "", message: e.message });
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
});`;

let worker: Worker | null = null;
let asked = 0;
const waiting = new Map<number, Waiting>();

function hashInWorker(path: string): Promise<Sealed> {
  worker ??= startWorker();
  const to = worker;
  const id = ++asked;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    to.ref();
    to.postMessage({ id, path });
  });
}

/**
 * It keeps the process alive only while a hash is awaited. Its own loader flags would only slow
 * it.
 */
function startWorker(): Worker {
  const started = new Worker(WORKER, { eval: true, execArgv: [], env: {} });
  started.on("message", settle);
  started.on("error", (e: Error) => {
    worker = null;
    for (const w of waiting.values()) w.reject(e);
    waiting.clear();
  });
  return started;
}

function settle(answer: Answer): void {
  const asker = waiting.get(answer.id);
  waiting.delete(answer.id);
  if (waiting.size === 0) worker?.unref();
  if ("hex" in answer) asker?.resolve(sealedOf(answer.hex, answer.size));
  else asker?.reject(Object.assign(new Error(answer.message), { code: answer.code }));
}
