import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { type Night, nightRow } from "../jobs/nights.js";
import { keptText } from "./kept.js";
import { at, library } from "./library.js";
import { PROJECT, workplace } from "./product.js";

type Step = Night & { readonly file: string };
const pair = `${PROJECT}../shared/inputs/pairs/H2_librarieswest_bills_1.1M/`;
const absent = !existsSync(`${pair}bills.tar.xz`);
if (absent) console.warn("the 27 nights of library bills are not here: their test is skipped");

test.skipIf(absent)(
  "27 real nights through the product give the independent count of all changes",
  async () => {
    const cwd = workplace();
    const { runJob } = await library();
    execFileSync("tar", ["-xf", `${pair}bills.tar.xz`, "-C", cwd]);
    const { steps } = JSON.parse(readFileSync(`${pair}TRUTH.json`, "utf8"));
    const sum = { added: 0, removed: 0, changed: 0 };
    let before: Step | null = null;
    for (const truth of steps as Step[]) {
      const as_of = truth.file.slice(0, 10);
      mkdirSync(`${cwd}/nights/${as_of}`, { recursive: true });
      copyFileSync(`${cwd}/lw/${truth.file}`, `${cwd}/nights/${as_of}/${truth.file}`);
      const asked = { job: "library-bills", as_of, inputs: `nights/${as_of}` };
      const run = await runJob(asked, at(cwd));
      const [, line] = keptText(cwd, run.run_id, "night.csv").split("\n");
      expect(line?.split(","), as_of).toEqual(nightRow(truth, before));
      for (const kind of ["added", "removed", "changed"] as const) {
        if (before !== null) sum[kind] += Number(run.figures.find((f) => f.name === kind)?.value);
      }
      before = truth;
    }
    expect(sum).toEqual({ added: 1_966, removed: 3_147, changed: 1_718 });
    rmSync(cwd, { recursive: true });
  },
  3_600_000,
);
