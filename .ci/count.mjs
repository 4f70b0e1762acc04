// node .ci/count.mjs <report> <status>: what a step counts for, as "passed failed". With a vitest report, its
// tests, and one failure at least where the step failed; without one, the step itself.
import { existsSync, readFileSync } from "node:fs";

const [report = "", status = ""] = process.argv.slice(2);
const broke = status === "0" ? 0 : 1;
const { numPassedTests, numFailedTests } = existsSync(report)
  ? JSON.parse(readFileSync(report, "utf8"))
  : { numPassedTests: 1 - broke, numFailedTests: 0 };
process.stdout.write(`${numPassedTests} ${Math.max(numFailedTests, broke)}\n`);
