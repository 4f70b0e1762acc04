// Makes dist/ afresh: the compiled sources, with the lockfile's hash written into build-info.js.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));
const UNFILLED = "LOCKFILE_SHA256 = null";

rmSync(`${project}dist`, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [`${project}node_modules/typescript/bin/tsc`, "-p", `${project}tsconfig.build.json`],
  { cwd: project, stdio: "inherit" },
);

const info = `${project}dist/build-info.js`;
const compiled = readFileSync(info, "utf8");
if (!compiled.includes(UNFILLED)) throw new Error(`${info} has no "${UNFILLED}" to fill in`);
const lockfile = createHash("sha256").update(readFileSync(`${project}package-lock.json`));
writeFileSync(info, compiled.replace(UNFILLED, `LOCKFILE_SHA256 = "${lockfile.digest("hex")}"`));

// --help is printed from these texts, so that asking for it loads nothing
const { helpTexts } = await import(`${project}dist/faces/cli.js`);
const { version } = JSON.parse(readFileSync(`${project}package.json`, "utf8"));
writeFileSync(`${project}dist/help.json`, `${JSON.stringify(helpTexts(version), null, 1)}\n`);

// npm sets the run bit when it links the bin, a checkout that runs dist/bin.js by name needs it too
if (existsSync(`${project}dist/bin.js`)) chmodSync(`${project}dist/bin.js`, 0o755);
