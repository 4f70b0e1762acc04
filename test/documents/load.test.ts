import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { loadJob, unusedFiles } from "../../src/documents/load.js";
import { TieoutError } from "../../src/model/errors.js";
import { DocumentError, mistakeText } from "../../src/model/mistake.js";
import { directorySource } from "../../src/sources/directory.js";
import { memorySource } from "../../src/sources/memory.js";
import { changed, EXAMPLE } from "./example.js";

const SELECT = "SELECT 1 AS one";
const FILES = {
  "job.yaml": EXAMPLE,
  "fee_lookup.sql": SELECT,
  "joined.sql": SELECT,
  "discrepancies.sql": SELECT,
  "checks/no_zero.sql": SELECT,
  "summary.md": "{{sellers}} sellers",
};

/** The mistakes of a job's folder, one line each. */
async function told(files: Record<string, string>, name = "jobs/refunds"): Promise<string[]> {
  try {
    await loadJob(memorySource(files, name));
    return [];
  } catch (e) {
    if (!(e instanceof DocumentError)) throw e;
    expect(e.code).toBe("JOB_INVALID");
    expect(JSON.parse(JSON.stringify(e)).mistakes).toEqual(e.mistakes);
    return e.mistakes.map(mistakeText);
  }
}

function without(...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(FILES).filter(([name]) => !names.includes(name)));
}

test("a job is loaded with every text that it names, and with no other", async () => {
  const loaded = await loadJob(memorySource({ ...FILES, "old.sql": SELECT }, "jobs/refunds/"));
  expect(loaded.job.job).toBe("refunds");
  expect(Object.keys(loaded.sql).sort()).toEqual(
    Object.keys(FILES)
      .filter((name) => name.endsWith(".sql"))
      .sort(),
  );
  expect(loaded.summary).toBe(FILES["summary.md"]);
});

test("SQL that nothing names is noted, beside the job and beside its checks", async () => {
  const source = memorySource({ ...FILES, "old.sql": SELECT, "checks/old.sql": SELECT }, "refunds");
  expect(await unusedFiles(source, await loadJob(source))).toEqual(["checks/old.sql", "old.sql"]);
});

test.each(["jobs/refunds", "jobs/library-bills"])("the project's own %s loads", async (dir) => {
  const source = directorySource(fileURLToPath(new URL(`../../${dir}`, import.meta.url)), dir);
  expect(await unusedFiles(source, await loadJob(source))).toEqual([]);
});

describe("what a folder lacks is told where the job names it", () => {
  const line = (part: string): number => EXAMPLE.split("\n").findIndex((l) => l.includes(part)) + 1;
  const column = (part: string): number => {
    return (EXAMPLE.split("\n")[line(part) - 1]?.indexOf(part) ?? -1) + 1;
  };

  test("a step's SQL, with the nearest file that is there", async () => {
    const at = `${line("fee_lookup.sql")}:${column("fee_lookup.sql")}`;
    expect(await told({ ...without("fee_lookup.sql"), "fee_lookups.sql": SELECT })).toEqual([
      `jobs/refunds/job.yaml:${at}: there is no file fee_lookup.sql; ` +
        "expected: a file in jobs/refunds; did you mean fee_lookups.sql?",
    ]);
  });

  test("a check's SQL and the summary, together with the mistakes of the job itself", async () => {
    const files = without("checks/no_zero.sql", "summary.md");
    const text = changed(EXAMPLE, "share: finance", "shares: finance");
    expect((await told({ ...files, "job.yaml": text })).map((t) => t.split(";")[0])).toEqual([
      `jobs/refunds/job.yaml:${line("share:")}:5: unknown key "shares"`,
      `jobs/refunds/job.yaml:${line("checks/no_zero.sql")}:14: there is no file checks/no_zero.sql`,
      `jobs/refunds/job.yaml:${line("summary: s")}:10: there is no file summary.md`,
    ]);
  });

  test("job.yaml itself", async () => {
    expect(await told({})).toEqual([
      "jobs/refunds/job.yaml: there is no file job.yaml; expected: a file in jobs/refunds",
    ]);
  });
});

test("a folder that is not called as the job is a mistake of the job's name", async () => {
  const at = `${EXAMPLE.split("\n").indexOf("job: refunds") + 1}:6`;
  expect(await told(FILES, "jobs/payouts")).toEqual([
    `jobs/payouts/job.yaml:${at}: job refunds is in a folder called payouts; ` +
      "expected: job: payouts; did you mean payouts?",
  ]);
  expect(await told(FILES, ".")).toEqual([]);
});

test("a disk that does not answer is not a mistake of the job", async () => {
  const trouble = new TieoutError("DISK", { subject: "s", cause: "c", remedy: "r" });
  const source = { ...memorySource(FILES, "refunds"), text: () => Promise.reject(trouble) };
  await expect(loadJob(source)).rejects.toBe(trouble);
});
