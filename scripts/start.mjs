// `npm start`: the refunds job for two weeks, the second carrying the first one's open items, then where
// everything lies. Started again it finds both runs committed, touches nothing and ends the same way.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import "./setup.mjs";

const project = fileURLToPath(new URL("..", import.meta.url));
const WEEKS = ["2026-08-03", "2026-08-10"];

let worst = 0;
for (const as_of of WEEKS) {
  const args = ["run", "refunds", "--as-of", as_of, "--inputs", `fixtures/refunds/${as_of}`];
  process.stdout.write(`\n$ tieout ${args.join(" ")}\n`);
  const exit = tieout(args);
  worst = Math.max(worst, exit);
  if (exit !== 0) break;
}
process.exitCode = worst;
process.stdout.write(`
Everything that is kept lies below .tieout/store, under the keys above; the working folders are gone.
Look further: npx tieout list, npx tieout head refunds-2026-08-10 discrepancies,
npx tieout trace refunds-2026-08-10 total, npx tieout recheck refunds-2026-08-10
`);

/** @param {string[]} args @returns {number} */
function tieout(args) {
  const { status, error } = spawnSync(process.execPath, [`${project}dist/bin.js`, ...args], {
    cwd: project,
    stdio: "inherit",
  });
  if (error) throw error;
  return status ?? 1;
}
