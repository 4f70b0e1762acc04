import { parentPort, workerData } from "node:worker_threads";
import { countRecords } from "./record-count.js";

parentPort?.postMessage(countRecords(workerData));
