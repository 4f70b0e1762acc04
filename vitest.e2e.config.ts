import { defineConfig } from "vitest/config";

/** The built product in processes of its own: killed, tampered with, on a full disk. Minutes. */
export default defineConfig({ test: { include: ["test/**/*.e2e.ts"], testTimeout: 300_000 } });
