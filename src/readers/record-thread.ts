import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type Counted, type CountRequest, countRecords } from "./record-count.js";

/** A smaller file is counted in less time than a thread takes to start. */
const SMALL = 1 << 20;

/** `countRecords` beside the event loop, so that heartbeats do not wait for a large file. */
export async function countBeside(request: CountRequest): Promise<Counted> {
  if (statSync(request.file).size <= SMALL) return countRecords(request);
  const worker = start(request);
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the count's thread ended with ${code}`)));
  });
}

function start(request: CountRequest): Worker {
  const options = { workerData: request, env: {}, execArgv: [] };
  if (!import.meta.url.endsWith(".ts"))
    return new Worker(new URL("./record-worker.js", import.meta.url), options);
  // Run from its source, as tests do: a thread does not inherit who loads TypeScript.
  const script = JSON.stringify(new URL("./record-worker.ts", import.meta.url).href);
  const load = `import("tsx/esm/api").then((tsx) => (tsx.register(), import(${script})))`;
  return new Worker(load, { ...options, eval: true });
}
