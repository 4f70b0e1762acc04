import { defineConfig } from "vitest/config";

/** By default one core is left idle, which on two cores is half of them. */
export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, maxWorkers: "100%" },
});
