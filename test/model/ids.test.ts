import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ArtefactName,
  AsOf,
  ColumnName,
  JobName,
  partsOf,
  RelationName,
  RelationRef,
  RunId,
  runId,
  Sha256,
} from "../../src/model/ids.js";
import { asOfs, jobNames } from "./arbitraries.js";

describe("a run id and its parts", () => {
  test("the parts of an id give the id again", () => {
    fc.assert(
      fc.property(jobNames, asOfs, fc.integer({ min: 1, max: 9999 }), (job, as_of, revision) => {
        fc.pre(job.length <= 40);
        expect(partsOf(runId(job, as_of, revision))).toEqual({ job, as_of, revision });
      }),
    );
  });

  test("whatever text is an id has parts that give it again", () => {
    const tails = fc.constantFrom(
      "",
      "-r1",
      "-r2",
      "-r12",
      "-r0",
      "-r02",
      "-r10000",
      "-2026-01-02",
    );
    const days = fc.constantFrom(
      "2026-01-31",
      "2026-02-30",
      "2024-02-29",
      "2025-02-29",
      "0000-00-00",
    );
    const jobs = fc.stringMatching(/^[a-z][a-z0-9-]{0,50}$/);
    fc.assert(
      fc.property(jobs, days, tails, (job, day, tail) => {
        const id = RunId.safeParse(`${job}-${day}${tail}`);
        fc.pre(id.success);
        const { job: of, as_of, revision } = partsOf(RunId.parse(id.data));
        expect(runId(of, as_of, revision)).toBe(id.data);
      }),
    );
  });

  test.each([
    "refunds",
    "refunds-2026-02-30",
    "refunds-2026-08-10-r1",
    "refunds-2026-08-10-r02",
    "Refunds-2026-08-10",
    "../refunds-2026-08-10",
    "refunds-2026-08-10/a1",
    "refunds-2026-08-09-2026-08-10",
    `${"x".repeat(41)}-2026-08-10`,
    `${"x".repeat(53)}-2026-08-10`,
    "refunds-2026-08-10\n",
  ])("%j is no run id", (text) => {
    expect(RunId.safeParse(text).success).toBe(false);
  });
});

describe("names", () => {
  test.each(["in", "manifest.json", "journal.jsonl", "SHA256SUMS", "summary.md", "records"])(
    "%s belongs to the layout and to no artefact",
    (name) => {
      expect(ArtefactName.safeParse(name).success).toBe(false);
    },
  );

  test.each([
    "../up.csv",
    "a/b.csv",
    "a..csv",
    ".hidden.csv",
    "A.csv",
    "a.csv\n",
    "a.json",
    "a",
    `${"a".repeat(97)}.csv`,
    "é.csv",
    "a\\b.csv",
  ])("%j is no file name", (name) => {
    expect(ArtefactName.safeParse(name).success).toBe(false);
  });

  test("a name at its longest is accepted, one character more is not", () => {
    const longest: readonly [{ safeParse: (s: string) => { success: boolean } }, string, string][] =
      [
        [JobName, "j".repeat(40), "j"],
        [RelationName, "r".repeat(63), "r"],
        [ColumnName, "c".repeat(63), "c"],
        [ArtefactName, `${"a".repeat(96)}.csv`, "a"],
        [Sha256, "0".repeat(64), "0"],
      ];
    for (const [name, text, more] of longest) {
      expect(name.safeParse(text).success).toBe(true);
      expect(name.safeParse(more + text).success).toBe(false);
    }
  });

  test("a job's name never ends in a date, or its runs could not be told apart", () => {
    expect(JobName.safeParse("refunds-2026-08-10").success).toBe(false);
    expect(JobName.safeParse("refunds-2026-08-10-r2").success).toBe(false);
    expect(JobName.safeParse("refunds-2026").success).toBe(true);
  });

  test("a relation is asked for by name or with one known prefix", () => {
    for (const ok of ["refunds", "previous.discrepancies", "log.terminal"])
      expect(RelationRef.safeParse(ok).success).toBe(true);
    for (const not of ["previous.previous.x", "main.x", "in/refunds.0", "refunds.csv", "", "x y"])
      expect(RelationRef.safeParse(not).success).toBe(false);
  });

  test("a date exists in the calendar", () => {
    for (const not of ["2026-02-29", "2026-13-01", "2026-00-10", "2026-8-10", "10/08/2026"])
      expect(AsOf.safeParse(not).success).toBe(false);
    expect(AsOf.safeParse("2024-02-29").success).toBe(true);
  });

  test("every refusal says what is expected, never the pattern", () => {
    const refused = [
      JobName,
      RunId,
      RelationName,
      RelationRef,
      ColumnName,
      ArtefactName,
      Sha256,
      AsOf,
    ];
    for (const name of refused) {
      const message = name.safeParse("¿").error?.issues[0]?.message ?? "";
      expect(message).toMatch(/[a-z]{3}/);
      expect(message).not.toContain("^");
    }
  });
});
