import { defineConfig } from "vitest/config";

/** All cells of the fault loops: hours. `SOAK_PART=k/n` takes every n-th cell, from the k-th on. */
export default defineConfig({
  test: { include: ["test/**/*.soak.ts"], testTimeout: 3_600_000, maxWorkers: "100%" },
});
