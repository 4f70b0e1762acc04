// Writes schemas/ from the model. With --check it writes nothing and fails where a file has
// drifted.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { documentText } from "../src/model/canonical.js";
import { ConfigFile } from "../src/model/config.js";
import { Job } from "../src/model/job.js";
import { Manifest } from "../src/model/manifest.js";
import { Claim, Commit, Failure, Receipts } from "../src/model/records.js";

const SCHEMAS = [
  { file: "job.schema.json", title: "tieout job", of: Job },
  { file: "config.schema.json", title: "tieout.yaml", of: ConfigFile },
  { file: "manifest.schema.json", title: "tieout manifest", of: Manifest },
  { file: "receipts.schema.json", title: "tieout receipts", of: Receipts },
  { file: "commit.schema.json", title: "tieout commit", of: Commit },
  { file: "failure.schema.json", title: "tieout failure", of: Failure },
  { file: "claim.schema.json", title: "tieout claim", of: Claim },
];

const check = process.argv.includes("--check");
const drifted: string[] = [];
for (const { file, title, of } of SCHEMAS) {
  const path = fileURLToPath(new URL(`../schemas/${file}`, import.meta.url));
  // as read: short forms of a job count, and an unknown key of a later version passes
  const text = documentText({ title, ...z.toJSONSchema(of, { io: "input" }) });
  if (!check) writeFileSync(path, text);
  else if (textOf(path) !== text) drifted.push(`schemas/${file}`);
}
if (drifted.length > 0) {
  process.stderr.write(`${drifted.join(", ")}: not what src/model says; run npm run schemas\n`);
  process.exitCode = 1;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
