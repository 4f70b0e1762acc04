import { defineConfig } from "vitest/config";
import { QUIET } from "./test/quiet.js";

/** The built product in processes of its own: killed, tampered with, on a full disk. Minutes. */
export default defineConfig({
  test: { env: QUIET, include: ["test/**/*.e2e.ts"], testTimeout: 300_000 },
});
