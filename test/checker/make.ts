// npx tsx test/checker/make.ts: writes fixtures/broken/ anew, after a document of a run changed its form.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { EXAMPLES } from "./examples.js";

const root = fileURLToPath(new URL("../../fixtures/broken", import.meta.url));
rmSync(root, { recursive: true, force: true });
for (const [folder, example] of EXAMPLES)
  for (const [name, text] of example) {
    const path = `${root}/${folder}/${name}`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
