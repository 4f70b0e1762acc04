import { defineConfig } from "vitest/config";
import { QUIET } from "./test/quiet.js";

/** All cells of the fault loops: hours. `SOAK_PART=k/n` takes every n-th cell, from the k-th on. */
export default defineConfig({
  test: { env: QUIET, include: ["test/**/*.soak.ts"], testTimeout: 3_600_000, maxWorkers: "100%" },
});
