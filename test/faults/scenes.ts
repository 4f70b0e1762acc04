import { loadJob } from "../../src/documents/load.js";
import { fingerprint } from "../../src/model/canonical.js";
import { AsOf, JobName, runId } from "../../src/model/ids.js";
import type { LoadedJob } from "../../src/model/job.js";
import type { Held } from "../../src/model/run.js";
import { directorySource } from "../../src/sources/directory.js";

/** The exports of a night, by file name. */
export type Exports = Readonly<Record<string, string>>;

const ledger = (...rows: string[]): string => `account,balance\n${rows.join("\n")}\n`;
const payments = (...rows: string[]): string =>
  `payment_id,account,amount\n${rows.map((r, i) => `P${i + 1},${r}`).join("\n")}\n`;

/** Two nights; of the second a corrected version, one whose checks fail, one of too many rejects. */
export const EXPORTS = {
  first: {
    "payments.csv": payments("A1,10.00", "A1,5.00", "B2,7.25"),
    "ledger.csv": ledger("A1,15.00", "B2,9.75", "C3,0.00"),
  },
  second: {
    "payments.csv": payments("A1,10.00", "B2,1.00", "B2,twelve", "C3,4.10"),
    "ledger_1.csv": ledger("A1,11.00", "B2,9.75"),
    "ledger_2.csv": ledger("C3,4.10"),
  },
  corrected: {
    "payments.csv": payments("A1,10.00", "B2,9.75", "C3,4.10"),
    "ledger_1.csv": ledger("A1,12.00", "B2,9.75"),
    "ledger_2.csv": ledger("C3,4.20"),
  },
  wrong: {
    "payments.csv": payments("A1,10.00", "B2,1.00"),
    "ledger.csv": ledger("A1,10.01", "B2,9.75"),
  },
  rejected: {
    "payments.csv": payments("A1,10.00", "B2,one", "C3,two"),
    "ledger.csv": ledger("A1,10.00"),
  },
} as const satisfies Readonly<Record<string, Exports>>;
export type Night = keyof typeof EXPORTS;

export const DATES = { first: "2026-08-03", second: "2026-08-10", third: "2026-08-17" } as const;

/**
 * What is run in a row over one store, so that a recording of these holds the answers to any order,
 * repetition and adoption of the same runs.
 */
export const SEQUENCES: readonly (readonly [as_of: string, night: Night, revision?: number])[][] = [
  [
    [DATES.first, "first"],
    [DATES.second, "second"],
    [DATES.second, "corrected", 2],
    [DATES.third, "first"],
  ],
  [
    [DATES.first, "first"],
    [DATES.second, "corrected"],
  ],
  [
    [DATES.first, "first"],
    [DATES.second, "wrong"],
    [DATES.second, "second"],
    [DATES.third, "first"],
  ],
  [
    [DATES.second, "rejected"],
    [DATES.second, "second"],
  ],
];

const home = new URL("jobs/cards", import.meta.url).pathname;

/** The job of all fault loops: a scratch, a CSV with checks, a workbook with its twin, two figures. */
export function loadCards(): Promise<LoadedJob> {
  return loadJob(directorySource(home, "jobs/cards"));
}

export function heldRun(loaded: LoadedJob, as_of: string, revision = 1): Held {
  const date = AsOf.parse(as_of);
  const job = JobName.parse(loaded.job.job);
  const before = revision > 2 ? runId(job, date, revision - 1) : runId(job, date, 1);
  return {
    ...loaded,
    run_id: runId(job, date, revision),
    as_of: date,
    job_sha256: fingerprint(loaded),
    supersedes: revision === 1 ? null : { run_id: before, reason: "a corrected export came" },
  };
}
