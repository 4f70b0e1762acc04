import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseJob } from "../../src/documents/job.js";
import type { Job } from "../../src/model/job.js";
import { mistakeText } from "../../src/model/mistake.js";
import { checkTemplate } from "../../src/model/summary.js";

const jobs = new URL("../../jobs/", import.meta.url);
const textOf = (job: string, file: string): string =>
  readFileSync(new URL(`${job}/${file}`, jobs), "utf8");

function jobIn(folder: string): Job {
  const { job, mistakes } = parseJob(textOf(folder, "job.yaml"), `jobs/${folder}/job.yaml`);
  if (!job) throw new Error(mistakes.map(mistakeText).join("\n"));
  return job;
}

/** SQL files of a job's folder, by the names that a job gives them. */
function sqlIn(folder: string): string[] {
  return readdirSync(new URL(folder, jobs), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".sql"))
    .sort();
}

describe.each(readdirSync(jobs))("the job %s", (folder) => {
  test("is read without a mistake and bears its folder's name", () => {
    expect(jobIn(folder).job).toBe(folder);
  });

  test("uses every SQL file of its folder and no other", () => {
    const { steps, artefacts } = jobIn(folder);
    const used = [
      ...steps.map((s) => s.sql),
      ...Object.values(artefacts).flatMap((a) => (a.checks ?? []).map((c) => c.sql)),
    ];
    expect(used.filter((name) => name !== undefined).sort()).toEqual(sqlIn(folder));
  });

  test("says no number in its summary that is not a figure, and uses each figure", () => {
    const { summary, figures = {} } = jobIn(folder);
    const template = textOf(folder, summary ?? "");
    expect(checkTemplate(template, figures)).toEqual([]);
    for (const name of Object.keys(figures)) expect(template).toContain(`{{${name}}}`);
  });

  test("checks that every artefact's rows are unique or counted", () => {
    for (const [name, { checks = [] }] of Object.entries(jobIn(folder).artefacts))
      expect(
        checks.some((c) => c.unique || c.rows),
        name,
      ).toBe(true);
  });
});
