import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type OpenBench, openBench } from "./bench.js";
import { type Night, nightOf, nightRow } from "./nights.js";
import { type Outcome, rowsOf, runJob } from "./workbench.js";

type Step = Night & { readonly file: string };
const pair = fileURLToPath(
  new URL("../../../shared/inputs/pairs/H2_librarieswest_bills_1.1M/", import.meta.url),
);
const absent = !existsSync(`${pair}bills.tar.xz`);
if (absent) console.warn("the 27 nights of library bills are not here: their test is skipped");

test.skipIf(absent)(
  "27 real nights, each carried forward to the next, give the independent count of all 26 comparisons",
  async () => {
    const { steps, totals } = JSON.parse(readFileSync(`${pair}TRUTH.json`, "utf8"));
    const bench = await openBench();
    const archive = bench.folder();
    execFileSync("tar", ["-xf", `${pair}bills.tar.xz`, "-C", archive]);
    const sum = { added: 0, removed: 0, changed: 0 };
    let before: { readonly outcome: Outcome; readonly truth: Step } | null = null;
    for (const truth of steps as Step[]) {
      const inputs = `${archive}/${truth.file.slice(0, 10)}`;
      mkdirSync(inputs);
      copyFileSync(`${archive}/lw/${truth.file}`, `${inputs}/${truth.file}`);
      const night = truth.file.slice(0, 10);
      const outcome = await runJob("library-bills", night, inputs, before?.outcome ?? null, bench);
      expect(outcome.faults, night).toEqual([]);
      expect(await nightOf(outcome, bench.engine), night).toEqual([
        nightRow(truth, before?.truth ?? null),
      ]);
      for (const kind of await kindsOf(outcome, bench)) sum[kind] += 1;
      before = { outcome, truth };
    }
    expect({ ...totals, ...sum }).toEqual(totals);
    expect(sum).toEqual({ added: 1_966, removed: 3_147, changed: 1_718 });
    await bench.close();
  },
  1_200_000,
);

async function kindsOf(outcome: Outcome, bench: OpenBench) {
  const changes = outcome.relations.get("changes");
  const rows = changes ? await rowsOf(changes, ["kind"], bench.engine) : [];
  return rows.map(([kind]) => {
    if (kind !== "added" && kind !== "removed" && kind !== "changed")
      throw new Error("a change is of no known kind");
    return kind;
  });
}
