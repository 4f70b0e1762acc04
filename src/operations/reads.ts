import { z } from "zod";
import type { StepDesk } from "../agents/agent.js";
import { sha256Of } from "../model/canonical.js";
import { nearest, TieoutError } from "../model/errors.js";
import { type RelationRef, RunId } from "../model/ids.js";
import {
  AggregateAnswer,
  AggregateShape,
  DescribeAnswer,
  DescribeShape,
  HeadShape,
  ReadAnswer,
  type RelationSummary,
  TailShape,
  WhereShape,
} from "../model/read.js";
import type { Relation } from "../model/relation.js";
import { aggregate } from "../queries/aggregate.js";
import { catalogue, openRelation, summaries } from "../queries/catalogue.js";
import { describe } from "../queries/describe.js";
import { head } from "../queries/head.js";
import { tail } from "../queries/tail.js";
import { relationsAsked, where } from "../queries/where.js";
import { type Desk, operation } from "./operation.js";

const run = RunId.describe("the run whose relation is read, such as refunds-2026-08-10");

export const headOperation = operation({
  name: "head",
  kind: "read",
  says: "The first rows of a relation, in file order, with the full row count.",
  input: z.strictObject({ run, ...HeadShape }),
  output: ReadAnswer,
  positional: ["run", "relation"],
  run: async ({ run, ...input }, desk) => {
    const { relation, reading } = await opened(run, input.relation, desk);
    return head(relation, input, reading);
  },
});

export const tailOperation = operation({
  name: "tail",
  kind: "read",
  says: "The last rows of a relation, in file order, with the full row count.",
  input: z.strictObject({ run, ...TailShape }),
  output: ReadAnswer,
  positional: ["run", "relation"],
  run: async ({ run, ...input }, desk) => {
    const { relation, reading } = await opened(run, input.relation, desk);
    return tail(relation, input, reading);
  },
});

export const whereOperation = operation({
  name: "where",
  kind: "read",
  says: "Rows that fulfil every condition, with the count of all that do.",
  input: z.strictObject({ run, ...WhereShape }),
  output: ReadAnswer,
  positional: ["run", "relation"],
  run: async ({ run, ...input }, desk) => {
    const names = relationsAsked(input);
    const found = await Promise.all(names.map((name) => opened(run, name, desk)));
    const [first] = found;
    if (first === undefined) throw new Error("where was asked of no relation");
    const tag = found.map((f) => f.reading.tag).join();
    return where(
      found.map((f) => f.relation),
      input,
      { ...first.reading, tag },
    );
  },
});

export const aggregateOperation = operation({
  name: "aggregate",
  kind: "read",
  says: "A count, sum, minimum, maximum or average over a relation, exact; by at most two columns.",
  input: z.strictObject({ run, ...AggregateShape }),
  output: AggregateAnswer,
  positional: ["run", "relation"],
  run: async ({ run, ...input }, desk) => {
    const { relation, reading } = await opened(run, input.relation, desk);
    return aggregate(relation, input, reading);
  },
});

export const describeOperation = operation({
  name: "describe",
  kind: "read",
  says: "What can be read of a run, or the columns of one relation; no cells.",
  input: z.strictObject({ run, ...DescribeShape }),
  output: DescribeAnswer,
  positional: ["run", "relation"],
  run: async ({ run, relation, like }, desk) => {
    const about = like === undefined ? {} : { like };
    if (relation !== undefined) {
      return describe((await opened(run, relation, desk)).relation, about);
    }
    if (desk.step !== null) return describe(summariesOf(desk.step), about);
    return describe(summaries(await catalogue(run, await desk.effects())), about);
  },
});

interface Opened {
  readonly relation: Relation;
  readonly reading: { readonly engine: StepDesk["engine"]; readonly tag: string };
}

/** A relation of the live step, or of the run's catalogue. */
async function opened(run: RunId, name: RelationRef, desk: Desk): Promise<Opened> {
  if (desk.step === null) {
    const fx = await desk.effects();
    const { relation, tag } = await openRelation(await catalogue(run, fx), name);
    return { relation, reading: { engine: fx.engine, tag } };
  }
  const relations = desk.step.relations();
  const relation = relations.findLast((r) => r.name === name);
  if (relation === undefined) throw unknownAtStep(name, relations);
  const tag = sha256Of(relation.files.map((f) => f.path).join());
  return { relation, reading: { engine: desk.step.engine, tag } };
}

function summariesOf(step: StepDesk): RelationSummary[] {
  return step.relations().map(({ name, rows, columns }) => ({
    relation: name,
    kind: step.kindOf(name),
    rows,
    columns: columns.length,
    made_at: null,
  }));
}

function unknownAtStep(name: string, relations: readonly Relation[]): TieoutError {
  const names = relations.map((r) => r.name);
  return new TieoutError("UNKNOWN_RELATION", {
    subject: name,
    cause: "this step has no relation of that name",
    remedy: `read ${nearest(name, names) ?? `one of ${names.join(", ")}`}`,
  });
}
