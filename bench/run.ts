/** `npm run bench`: every figure of the README, one after the other. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

for (const [file, ...args] of [
  ["help.ts"],
  ["ingest.ts"],
  ["upload.ts"],
  ["write.ts"],
  ["walk.ts", "1000000", "3"],
  ["walk.ts", "10000000", "1"],
] as const) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const { status } = spawnSync(process.execPath, ["--import", "tsx", path, ...args], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`${file} ended with ${status}`);
}
