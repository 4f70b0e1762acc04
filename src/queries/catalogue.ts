import type { Effects } from "../effects.js";
import { nearest, TieoutError } from "../model/errors.js";
import { partsOf, type RelationRef, type RunId } from "../model/ids.js";
import type { RelationSummary } from "../model/read.js";
import type { Relation } from "../model/relation.js";
import { committedCatalogue } from "./catalogue-committed.js";
import { liveCatalogue } from "./catalogue-live.js";
import { committedRuns, readCommitted } from "./committed.js";
import type { Catalogue } from "./entry.js";

/**
 * The relations of a run: from the store when it is committed, else from its latest attempt here.
 * @throws UNKNOWN_RUN with the nearest run that there is
 */
export async function catalogue(run: RunId, fx: Effects): Promise<Catalogue> {
  const committed = await readCommitted(run, fx);
  if (committed !== null) return committedCatalogue(committed, fx);
  const live = await liveCatalogue(run, fx);
  if (live !== null) return live;
  throw unknownRun(run, await committedRuns(partsOf(run).job, fx));
}

/**
 * A relation by name. @throws UNKNOWN_RELATION with the nearest, NOT_KEPT with what is known of it
 */
export async function openRelation(
  from: Catalogue,
  name: RelationRef,
): Promise<{ readonly relation: Relation; readonly tag: string }> {
  const entry = from.entries.find((e) => e.name === name);
  if (entry === undefined) throw unknownRelation(from, name);
  if (entry.open !== null) return { relation: await entry.open(), tag: entry.tag };
  throw new TieoutError("NOT_KEPT", {
    subject: name,
    cause: `it was not kept: ${entry.instead}`,
    remedy: `read one of ${kept(from).join(", ")}`,
    at: { rows: entry.rows },
  });
}

export function summaries(from: Catalogue): RelationSummary[] {
  return from.entries.map(({ name, kind, rows, columns, made_at }) => ({
    relation: name,
    kind,
    rows,
    columns,
    made_at,
  }));
}

export function unknownRun(run: RunId, runs: readonly RunId[]): TieoutError {
  const near = nearest(run, runs) ?? runs.at(-1);
  return new TieoutError("UNKNOWN_RUN", {
    subject: run,
    cause: "neither the store nor this machine knows a run of that id",
    remedy:
      near === undefined ? "run the job first: tieout run <job> --as-of <date>" : `ask for ${near}`,
  });
}

function unknownRelation(from: Catalogue, name: string): TieoutError {
  const near = nearest(
    name,
    from.entries.map((e) => e.name),
  );
  return new TieoutError("UNKNOWN_RELATION", {
    subject: name,
    cause: `${from.run_id} has no relation of that name`,
    remedy: near === null ? `read one of ${kept(from).join(", ")}` : `read ${near}`,
  });
}

function kept(from: Catalogue): string[] {
  return from.entries.filter((e) => e.open !== null).map((e) => e.name);
}
