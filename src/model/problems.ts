import { artefactProblems, figureProblems } from "./artefact-problems.js";
import { isZone } from "./columns.js";
import { nearest } from "./errors.js";
import { inputProblems } from "./input-problems.js";
import { formatOf, type Job, type StepSpec } from "./job.js";
import { type Problem, wrong, wrongKey } from "./mistake.js";

const MOST_STEPS = 100;
/** Names that mean something else where a relation is named. */
const NOT_A_RELATION = /^(previous|log|q\d{2,})$/;

/**
 * What one field of a job alone cannot say: names that must exist, be unique, or fit each other.
 * All problems at once; [] when the job can be run. SQL texts, the details of checks and the
 * summary are judged by those who read them.
 */
export function problems(job: Job): Problem[] {
  return [
    ...zone(job),
    ...inputProblems(job.inputs),
    ...previous(job),
    ...(job.steps.length > MOST_STEPS
      ? [wrong(["steps"], `there are ${job.steps.length} steps`, `at most ${MOST_STEPS}`)]
      : []),
    ...relations(job),
    ...job.steps.flatMap((step, i) => [...forms(step, i), ...conserves(job, step, i)]),
    ...files(job),
    ...artefactProblems(job.artefacts),
    ...figureProblems(job),
  ];
}

function zone({ as_of }: Job): Problem[] {
  if (as_of === undefined || isZone(as_of.zone)) return [];
  const expected = "an IANA name such as Europe/Paris or UTC";
  return [wrong(["as_of", "zone"], `unknown time zone ${as_of.zone}`, expected)];
}

function previous({ previous: declared = {}, steps }: Job): Problem[] {
  const makers = steps.filter((s) => s.artefact !== undefined).map((s) => s.name);
  return Object.keys(declared).flatMap((name) => {
    if (makers.some((m) => m === name)) return [];
    const expected = `a step of this job that makes an artefact: ${makers.join(", ")}`;
    return [wrongKey(["previous", name], `no such step: ${name}`, expected, nearest(name, makers))];
  });
}

/** Inputs, their rejects and steps are read under one kind of name. */
function relations({ inputs, steps }: Job): Problem[] {
  const names = Object.keys(inputs);
  const taken = new Map<string, string>(names.map((n) => [n, `the input ${n}`]));
  const found: Problem[] = [];
  for (const name of names) {
    const rejects = `${name}_rejects`;
    if (taken.has(rejects))
      found.push(
        wrongKey(["inputs", rejects], `${rejects} holds the rejects of ${name}`, "another name"),
      );
    taken.set(rejects, `the rejects of ${name}`);
    if (NOT_A_RELATION.test(name)) found.push(wrongKey(["inputs", name], ...reserved(name)));
  }
  for (const [i, { name }] of steps.entries()) {
    const path = ["steps", i, "name"];
    const owner = taken.get(name);
    if (owner !== undefined) found.push(wrong(path, `${name} is ${owner}`, "a name of its own"));
    else taken.set(name, `step ${i + 1}`);
    if (NOT_A_RELATION.test(name)) found.push(wrong(path, ...reserved(name)));
  }
  return found;
}

function reserved(name: string): [string, string] {
  return [`${name} has a meaning of its own in a run`, "another name than previous, log or q01"];
}

function forms(step: StepSpec, i: number): Problem[] {
  const path = ["steps", i];
  const found: Problem[] = [];
  const [how, where] = [`step ${step.name} says`, "exactly one of"];
  if ((step.sql === undefined) === (step.agent === undefined)) {
    const message =
      step.sql === undefined ? `${how} neither sql nor agent` : `${how} sql and agent`;
    found.push(wrong(path, message, `${where} sql and agent`));
  }
  if ((step.scratch === undefined) === (step.artefact === undefined)) {
    const none = step.scratch === undefined;
    const message = none ? `${how} neither scratch nor artefact` : `${how} scratch and artefact`;
    found.push(wrong(path, message, `${where} scratch and artefact`));
  }
  if (step.scratch !== undefined && formatOf(step.scratch) === "xlsx") {
    const near = step.scratch.replace(/xlsx$/, "parquet");
    const message = `scratch ${step.scratch} is a workbook`;
    found.push(wrong([...path, "scratch"], message, "a file that ends in .csv or .parquet", near));
  }
  return found;
}

function conserves(job: Job, step: StepSpec, i: number): Problem[] {
  const known = readable(job, i);
  return (step.conserves ?? []).flatMap((name, n) => {
    if (known.includes(name)) return [];
    const expected = `an input, an earlier step or a previous artefact: ${known.join(", ")}`;
    const path = ["steps", i, "conserves", n];
    return [wrong(path, `${name} is not there before this step`, expected, nearest(name, known))];
  });
}

function readable(job: Job, step: number): string[] {
  return [
    ...Object.keys(job.inputs),
    ...job.steps.slice(0, step).map((s) => s.name),
    ...Object.keys(job.previous ?? {}).map((name) => `previous.${name}`),
  ];
}

/** Every file is made once; artefacts are those that are declared, no more and no less. */
function files({ steps, artefacts }: Job): Problem[] {
  const declared = Object.keys(artefacts);
  const made = new Map<string, string>();
  const meant = new Set<string>();
  const found: Problem[] = [];
  for (const [i, step] of steps.entries()) {
    for (const kind of ["scratch", "artefact"] as const) {
      const file = step[kind];
      if (file === undefined) continue;
      const path = ["steps", i, kind];
      const maker = made.get(file);
      if (maker !== undefined)
        found.push(wrong(path, `${file} is made by step ${maker}`, "a file of its own"));
      made.set(file, step.name);
      if (kind === "scratch" || declared.includes(file)) continue;
      const free = declared.filter((d) => !steps.some((s) => s.artefact === d));
      const near = nearest(file, free);
      if (near !== null) meant.add(near);
      const expected = `an artefact declared under artefacts: ${declared.join(", ")}`;
      found.push(wrong(path, `${file} is not declared`, expected, near));
    }
  }
  const unmade = declared.filter((d) => !meant.has(d) && !steps.some((s) => s.artefact === d));
  for (const file of unmade)
    found.push(
      wrongKey(["artefacts", file], `no step makes ${file}`, `a step with artefact: ${file}`),
    );
  return found;
}
