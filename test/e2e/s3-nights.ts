import { readFileSync, rmSync } from "node:fs";
import { expect } from "vitest";
import { PROJECT, tieout, workplace } from "./product.js";

const NIGHTS = ["2026-08-03", "2026-08-10"];

/**
 * Two nights of the refunds job through the command line into a bucket, each from a folder of its
 * own that is gone afterwards, so that the second takes its previous run from the bucket; then the
 * second is rechecked from a third folder. The artefacts are those of the golden case.
 * @param settings where the bucket is, as variables
 */
export async function nightsInto(settings: Readonly<Record<string, string>>): Promise<void> {
  const env = {
    ...settings,
    AWS_ACCESS_KEY_ID: "tester",
    AWS_SECRET_ACCESS_KEY: "testsecret",
    TIEOUT_STORE_PREFIX: "fin/nightly",
  };
  for (const night of NIGHTS)
    await within(async (cwd) => {
      const args = ["run", "refunds", "--as-of", night, "--inputs", `exports/${night}`];
      const { exit, err } = await tieout(args, cwd, env);
      expect({ night, exit, err }).toEqual({ night, exit: 0, err: "" });
    });
  await within(async (cwd) => {
    const run = `refunds-${NIGHTS[1]}`;
    const traced = await tieout(["trace", run, "discrepancies.csv", "--json"], cwd, env);
    expect(traced.exit).toBe(0);
    const expected = `${PROJECT}fixtures/refunds/expected/${NIGHTS[1]}/discrepancies.csv`;
    const rows = readFileSync(expected, "utf8").trimEnd().split("\n").length - 1;
    const counted = await tieout(["aggregate", run, "discrepancies", "--fn", "count"], cwd, env);
    expect(counted.out).toContain(String(rows));
    const { out, exit } = await tieout(["recheck", run], cwd, env);
    expect({ exit, out }).toEqual({ exit: 0, out: expect.stringContaining(`${run} is sound`) });
  });
}

async function within(work: (cwd: string) => Promise<void>): Promise<void> {
  const cwd = workplace();
  try {
    await work(cwd);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
