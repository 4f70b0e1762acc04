import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type Counted, type CountRequest, countRecords } from "./record-count.js";

/** A smaller file is counted in less time than a thread takes to start. */
const SMALL = 1 << 20;
const SOURCE = import.meta.url.endsWith(".ts");

/** `countRecords` beside the event loop, so that heartbeats do not wait for a large file. */
export async function countBeside(request: CountRequest): Promise<Counted> {
  if (statSync(request.file).size <= SMALL) return countRecords(request);
  const script = new URL(`./record-worker.${SOURCE ? "ts" : "js"}`, import.meta.url);
  const worker = new Worker(script, {
    workerData: request,
    env: {},
    execArgv: SOURCE ? ["--import", "tsx"] : [],
  });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) =>
      reject(new Error(`the record count's thread ended with ${code}`)),
    );
  });
}
