import { expect, test } from "vitest";
import { Job } from "../../src/model/job.js";
import { problems } from "../../src/model/problems.js";

type Plain = Record<string, unknown>;

/** A small valid job with parts replaced. */
function job(parts: Plain = {}): Job {
  return Job.parse({
    job: "copy",
    owner: "ops",
    inputs: { ledger: { file: "ledger.csv", columns: { account: "text", balance: "money(EUR)" } } },
    steps: [{ name: "copied", sql: "copied.sql", artefact: "copied.csv" }],
    artefacts: {
      "copied.csv": { order_by: ["account"], retain_days: 30, columns: { account: "text" } },
    },
    ...parts,
  });
}

const told = (parts: Plain): string[] => problems(job(parts)).map((p) => p.message);
const input = { file: "a.csv", columns: { a: "text" } };
const scratch = (n: number): Plain => ({ name: `s${n}`, sql: "s.sql", scratch: `s${n}.csv` });

test("a job whose parts fit has no problem", () => {
  expect(problems(job())).toEqual([]);
});

test("a hundred steps and two hundred columns are the most", () => {
  const steps = (n: number): Plain => ({
    steps: [...job().steps, ...Array.from({ length: n }, (_, i) => scratch(i))],
  });
  const columns = (n: number): Plain => {
    const all = Object.fromEntries(Array.from({ length: n }, (_, i) => [`c${i}`, "text"]));
    return { inputs: { ledger: { file: "a.csv", columns: all } } };
  };
  expect(told(steps(99))).toEqual([]);
  expect(told(steps(100))).toEqual(["there are 101 steps"]);
  expect(told(columns(200))).toEqual([]);
  expect(told(columns(201))).toEqual(["there are 201 columns"]);
  expect(told(columns(0))).toEqual(["there is no column"]);
});

test("inputs, their rejects and steps share one set of names", () => {
  expect(told({ inputs: { a: input, a_rejects: input } })).toEqual([
    "a_rejects holds the rejects of a",
  ]);
  expect(told({ inputs: { previous: input } })).toEqual([
    "previous has a meaning of its own in a run",
  ]);
  expect(told({ inputs: { copied: input } })).toEqual(["copied is the input copied"]);
});

test("a step conserves only what there is before it, previous artefacts included", () => {
  const conserving = (...conserves: string[]): Plain => ({
    previous: { copied: { required: false } },
    steps: [{ name: "copied", sql: "copied.sql", artefact: "copied.csv", conserves }],
  });
  expect(told(conserving("ledger", "previous.copied"))).toEqual([]);
  expect(told(conserving("copied", "previous.ledger"))).toEqual([
    "copied is not there before this step",
    "previous.ledger is not there before this step",
  ]);
});

test("names that every object has are no columns of a job", () => {
  const artefact = { order_by: ["constructor"], retain_days: 1, columns: { account: "text" } };
  const figure = { artefact: "copied.csv", aggregate: "min", column: "valueof" };
  expect(told({ artefacts: { "copied.csv": artefact }, figures: { f: figure } })).toEqual([
    "no column constructor",
    "no column valueof",
  ]);
});

test("a marker's column has a name that fits", () => {
  const long = "a".repeat(57);
  const columns = { [long]: { type: "integer", markers: ["*"] } };
  expect(told({ inputs: { ledger: { file: "a.csv", columns } } })).toEqual([
    `its markers go to ${long}_marker, which is too long`,
  ]);
});

test("every problem leads to a part of the job that is there", () => {
  const found = problems(job({ steps: [scratch(1), scratch(1)], inputs: { q01: input } }));
  expect(found.length).toBeGreaterThan(3);
  for (const p of found) expect(["inputs", "steps", "artefacts"]).toContain(p.path[0]);
});
