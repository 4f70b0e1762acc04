import type { StepDesk } from "./agents/agent.js";
import { canonicalJson } from "./model/canonical.js";
import { nearest, TieoutError } from "./model/errors.js";
import {
  extendOperation,
  holdOperation,
  purgeOperation,
  releaseOperation,
} from "./operations/acts.js";
import { rechainOperation } from "./operations/chains.js";
import { computeOperation, finishOperation } from "./operations/compute.js";
import { doctorOperation } from "./operations/doctor.js";
import { lineageOperation } from "./operations/lineage.js";
import {
  checkOperation,
  configOperation,
  diffOperation,
  listOperation,
  recheckOperation,
  statusOperation,
  traceOperation,
} from "./operations/looks.js";
import type { Desk, Operation } from "./operations/operation.js";
import {
  aggregateOperation,
  describeOperation,
  headOperation,
  tailOperation,
  whereOperation,
} from "./operations/reads.js";
import { restateOperation, runOperation } from "./operations/runs.js";
import { shareOperation } from "./operations/shares.js";

export type { Operation } from "./operations/operation.js";
export {
  aggregateOperation,
  checkOperation,
  describeOperation,
  diffOperation,
  doctorOperation,
  extendOperation,
  headOperation,
  holdOperation,
  lineageOperation,
  listOperation,
  purgeOperation,
  rechainOperation,
  recheckOperation,
  releaseOperation,
  restateOperation,
  runOperation,
  shareOperation,
  statusOperation,
  tailOperation,
  traceOperation,
  whereOperation,
};

/** Everything that can be asked for, in the order in which `--help` lists it. */
export const OPERATIONS = [
  runOperation,
  checkOperation,
  listOperation,
  statusOperation,
  describeOperation,
  headOperation,
  tailOperation,
  whereOperation,
  aggregateOperation,
  traceOperation,
  diffOperation,
  recheckOperation,
  lineageOperation,
  restateOperation,
  rechainOperation,
  shareOperation,
  holdOperation,
  releaseOperation,
  extendOperation,
  purgeOperation,
  configOperation,
  doctorOperation,
  computeOperation,
  finishOperation,
] as const;

/** An operation of the table, its types forgotten: for faces, which only pass values through. */
export type AnyOperation = Omit<Operation, "run" | "exit"> & {
  readonly run: (input: never, desk: Desk) => Promise<unknown>;
  readonly exit?: (output: never) => number;
};

/** An operation by name. @throws USAGE with the nearest name */
function findOperation(name: string): AnyOperation {
  const found = OPERATIONS.find((o) => o.name === name);
  if (found !== undefined) return found;
  const names = OPERATIONS.map((o) => o.name);
  throw new TieoutError("USAGE", {
    subject: name,
    cause: "there is no operation of that name",
    remedy: `use ${nearest(name, names) ?? `one of ${names.join(", ")}`}`,
  });
}

/** What an operation answered, and the exit code that the answer means. */
export interface Asked {
  readonly output: unknown;
  readonly exit: number;
}

/**
 * Parses the input strictly, runs the operation, and parses its output.
 * @throws USAGE with every mistake of the input; the operation's own errors
 */
export async function ask(name: string, input: unknown, desk: Desk): Promise<Asked> {
  const op = findOperation(name);
  const parsed = op.input.safeParse(input);
  if (!parsed.success) throw badInput(op, parsed.error.issues);
  const output = await op.run(parsed.data as never, desk);
  return { output: op.output.parse(output), exit: op.exit?.(output as never) ?? 0 };
}

function badInput(op: AnyOperation, issues: readonly Issue[]): TieoutError {
  const fields = Object.keys(op.input.shape);
  const firsts = issues.filter((issue, i) => {
    const place = (other: Issue) => other.path.join(".");
    return issues.findIndex((other) => place(other) === place(issue)) === i;
  });
  const causes = firsts.map((issue) => {
    if (issue.code !== "unrecognized_keys")
      return `${placeOf(issue.path) || op.name}: ${issue.message}`;
    const keys = (issue.keys ?? []).map((k) => {
      const near = nearest(k, fields);
      return near === null ? k : `${k} (did you mean ${near}?)`;
    });
    return `unknown: ${keys.join(", ")}`;
  });
  return new TieoutError("USAGE", {
    subject: op.name,
    cause: causes.join("; "),
    remedy: `${op.name} takes ${fields.join(", ") || "nothing"}: see tieout ${op.name} --help`,
  });
}

/** `all.0.op` as people count: `op of condition 1`; another list's `columns.2` is `columns, 3`. */
function placeOf(path: readonly PropertyKey[]): string {
  const [field, at, ...inner] = path;
  if (typeof at !== "number") return path.join(".");
  if (field !== "all") return [`${String(field)}, ${at + 1}`, ...inner].join(".");
  return [...inner.map(String), `condition ${at + 1}`].join(" of ");
}

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

/**
 * The operations inside a live step, as an agent or a script asks for them: `describe` and the four
 * reads of the step's relations (without the `run`), `compute` and `finish`, each by name with its
 * input as a plain object. The answer is a value; `answerText` is what a model is given.
 */
export function operationsOf(
  step: StepDesk,
): (name: string, input: Record<string, unknown>) => Promise<unknown> {
  return async (name, input) => {
    const { kind } = findOperation(name);
    if (kind !== "read" && kind !== "compute") throw outside(name);
    const whole = kind === "read" ? { run: step.run_id, ...input } : input;
    return (await ask(name, whole, deskOf(step))).output;
  };
}

/** Nothing outside the step can be reached from its desk. */
function deskOf(step: StepDesk): Desk {
  const refuse = (): never => {
    throw outside(step.step.name);
  };
  return {
    step,
    effects: refuse,
    jobs: refuse,
    job: refuse,
    kept: refuse,
    configuration: refuse,
    doctor: refuse,
  };
}

/** An answer as the text that is sent: no white space, keys sorted. */
export function answerText(output: unknown): string {
  return canonicalJson(output);
}

function outside(name: string): TieoutError {
  return new TieoutError("REFUSED", {
    subject: name,
    cause: "inside a step only reads, compute and finish may be asked for",
    remedy: "use describe, head, tail, where, aggregate, compute or finish",
  });
}
