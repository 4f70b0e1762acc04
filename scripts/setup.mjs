// What `npm test` and `npm start` need on a fresh clone, and nothing when it is there already:
// the locked packages, and a dist/ that is newer than everything it is made from.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));
const MADE_LAST = `${project}dist/build-info.js`;
const BUILT_FROM = [
  "src",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
];

if (!installed()) {
  const npm = process.env.npm_execpath;
  if (npm) run(process.execPath, [npm, "ci"]);
  else run("npm", ["ci"]);
}
if (!built()) run(process.execPath, [`${project}scripts/build.mjs`]);

function installed() {
  const mark = `${project}node_modules/.package-lock.json`;
  return existsSync(mark) && existsSync(`${project}node_modules/typescript/bin/tsc`);
}

function built() {
  if (!existsSync(MADE_LAST)) return false;
  const made = statSync(MADE_LAST).mtimeMs;
  return BUILT_FROM.every((name) => newest(`${project}${name}`) <= made);
}

/** @param {string} path @returns {number} */
function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(`${path}/${name}`)));
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  execFileSync(command, args, { cwd: project, stdio: "inherit" });
}
