import { defineConfig } from "vitest/config";
import { QUIET } from "./test/quiet.js";

/** Real servers, installed and started by test/services/*.sh. Minutes. */
export default defineConfig({
  test: {
    env: QUIET,
    include: ["test/**/*.services.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
