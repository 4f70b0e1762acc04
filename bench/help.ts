/** `tieout --help` beside bare node, in CPU seconds: `npm run build && npx tsx bench/help.ts`. */
import { fileURLToPath } from "node:url";
import { cost, machine, median } from "./measure.js";

const project = fileURLToPath(new URL("..", import.meta.url));
const RUNS = 9;
const bare = await median(RUNS, () => cost([process.execPath, "-e", "0"], project));
const help = await median(RUNS, () =>
  cost([process.execPath, `${project}dist/bin.js`, "--help"], project),
);
console.log(`--help beside bare node; medians of ${RUNS}; ${machine()}`);
console.log(`bare ${bare.cpu_s.toFixed(3)} CPU-s, help ${help.cpu_s.toFixed(3)} CPU-s`);
console.log(`ratio  ${(help.cpu_s / bare.cpu_s).toFixed(2)} × CPU`);
