import { describe } from "vitest";
import { storeContract } from "../store.contract.js";
import { contractBench } from "./s3-bench.js";

describe("a bucket that keeps one object per key", () => {
  storeContract(contractBench({}));
});

describe("a bucket with versions and Object Lock", () => {
  storeContract(contractBench({ lock: true }));
});
