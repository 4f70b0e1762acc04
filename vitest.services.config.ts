import { defineConfig } from "vitest/config";

/** Real servers, installed and started by test/services/*.sh. Minutes. */
export default defineConfig({
  test: { include: ["test/**/*.services.ts"], testTimeout: 300_000, hookTimeout: 300_000 },
});
