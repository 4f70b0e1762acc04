import { defineConfig } from "vitest/config";
import { QUIET } from "./test/quiet.js";

/** By default one core is left idle, which on two cores is half of them. */
export default defineConfig({
  test: { env: QUIET, include: ["test/**/*.test.ts"], testTimeout: 60_000, maxWorkers: "100%" },
});
