import type { JournalLine } from "../model/journal.js";
import type { Dataset, OutputDataset, RunEvent } from "../model/lineage.js";
import type { Manifest } from "../model/manifest.js";
import { StepRecord, type StoredDoc } from "../model/records.js";
import { uuidOf } from "../model/uuid.js";
import { facetsOf, RUN_EVENT } from "./lineage-facets.js";

/** A committed run as its lineage is told from: all of it kept in the store. */
export interface Told {
  readonly manifest: Manifest;
  readonly manifest_doc: StoredDoc;
  /** The lines of the kept journal: when each step was sealed. */
  readonly journal: readonly JournalLine[];
  /** The kept SQL by step. */
  readonly sql: ReadonlyMap<string, string>;
}

/** Names of jobs and datasets are unique within a namespace, one per installation. */
export interface Naming {
  readonly namespace: string;
  /** A URI of the program that tells: a package URL. */
  readonly producer: string;
}

/**
 * A committed run as OpenLineage events, in the order of time: the run's START, a START and a
 * COMPLETE for each step with the run as its parent, the run's COMPLETE. Equal runs give equal
 * events: run ids are version 5 UUIDs of `urn:tieout:<namespace>:<run id>[:<step>]`.
 *
 * A dataset is `<job>.<relation>` and its version the file's SHA-256, so that tonight's
 * `previous` is last night's output. Inputs are datasets too; their files are not named as paths.
 */
export function lineageEvents(told: Told, naming: Naming): RunEvent[] {
  const { manifest } = told;
  const run = runOf(told, naming);
  const steps = manifest.steps.flatMap((step) => stepEvents(step, told, naming));
  const { inputs, outputs } = datasetsOf(told, naming);
  const [started, finished] = [manifest.started_at, manifest.finished_at];
  return [
    event("START", started, run, inputs, [], naming),
    ...steps,
    event("COMPLETE", finished, run, inputs, outputs, naming),
  ];
}

type Step = Manifest["steps"][number];
type Who = Pick<RunEvent, "run" | "job">;

function runOf({ manifest, manifest_doc }: Told, naming: Naming): Who {
  const facets = facetsOf(naming.producer);
  const { run_id, attempt, as_of, job, owner, engine, supersedes, outcome } = manifest;
  const { key, version, sha256 } = manifest_doc;
  const ours = { run_id, attempt, as_of, outcome, supersedes, manifest: { key, version, sha256 } };
  return {
    run: {
      runId: runUuid(run_id, naming),
      facets: {
        nominalTime: facets.nominalTime(as_of),
        processing_engine: facets.engine(engine),
        tieout_run: facets.manifest(ours),
      },
    },
    job: {
      namespace: naming.namespace,
      name: job,
      facets: { ownership: facets.ownership(owner) },
    },
  };
}

function stepEvents(step: Step, told: Told, naming: Naming): RunEvent[] {
  const { manifest, sql } = told;
  const facets = facetsOf(naming.producer);
  const job = { namespace: naming.namespace, name: manifest.job };
  const parent = facets.parent({ runId: runUuid(manifest.run_id, naming) }, job);
  const query = sql.get(step.name);
  const who: Who = {
    run: { runId: runUuid(`${manifest.run_id}:${step.name}`, naming), facets: { parent } },
    job: {
      namespace: naming.namespace,
      name: `${manifest.job}.${step.name}`,
      facets: query === undefined ? {} : { sql: facets.sql(query) },
    },
  };
  const datasets = datasetsOf(told, naming);
  const reads = new Set(step.reads.map((r) => nameOf(rejectsOf(r, manifest) ?? r, manifest)));
  const all = [...datasets.inputs, ...datasets.outputs.map(asInput)];
  const inputs = all.filter((d) => reads.has(d.name));
  const outputs = datasets.outputs.filter((d) => d.name === nameOf(step.name, manifest));
  const [from, to] = timesOf(step, told);
  return [
    event("START", from, who, inputs, [], naming),
    event("COMPLETE", to, who, inputs, outputs, naming),
  ];
}

/** From the journal's line before the step's to its own; of an adopted step, the adopting. */
function timesOf(step: Step, { journal, manifest }: Told): [string, string] {
  const at = journal.findIndex(
    (line) => line.event === "step" && StepRecord.safeParse(line.record).data?.name === step.name,
  );
  const sealed = journal[at]?.at ?? manifest.finished_at;
  return [journal[at - 1]?.at ?? manifest.started_at, sealed];
}

function datasetsOf({ manifest }: Told, naming: Naming) {
  const facets = facetsOf(naming.producer);
  const dataset = (relation: string, described: Dataset["facets"]): Dataset => ({
    namespace: naming.namespace,
    name: nameOf(relation, manifest),
    facets: described,
  });
  const inputs = [
    ...manifest.inputs.map((i) => {
      const hashes = i.files.map((f) => f.sha256).join(",");
      const schema = facets.schema(i.columns);
      return dataset(i.name, { schema, version: facets.version(hashes) });
    }),
    ...manifest.previous.flatMap((p) => {
      if (p.sha256 === null) return [];
      const schema = facets.schema(p.columns);
      return [dataset(`previous.${p.name}`, { schema, version: facets.version(p.sha256) })];
    }),
  ];
  const made = [
    ...manifest.artefacts.map((a) => ({ ...a, checks: a.checks })),
    ...manifest.discarded.map((d) => ({ ...d, checks: [] })),
  ];
  const outputs = made.map((file): OutputDataset => {
    const schema = facets.schema(file.columns);
    const described = { schema, version: facets.version(file.sha256) };
    const asserted =
      file.checks.length > 0 ? { dataQualityAssertions: facets.assertions(file.checks) } : {};
    return {
      ...dataset(file.relation, { ...described, ...asserted }),
      outputFacets: { outputStatistics: facets.statistics(file) },
    };
  });
  return { inputs, outputs };
}

/** The dataset of a relation; `previous.x` is the dataset x of an earlier run. */
function nameOf(relation: string, manifest: Manifest): string {
  return `${manifest.job}.${relation.replace(/^previous\./, "")}`;
}

/** The input whose rejects a relation is: part of the same files. */
function rejectsOf(relation: string, manifest: Manifest): string | undefined {
  return manifest.inputs.find((i) => relation === `${i.name}_rejects`)?.name;
}

function asInput({ namespace, name, facets }: OutputDataset): Dataset {
  return { namespace, name, facets };
}

function runUuid(name: string, { namespace }: Naming): string {
  return uuidOf(`urn:tieout:${namespace}:${name}`);
}

function event(
  eventType: RunEvent["eventType"],
  eventTime: string,
  who: Who,
  inputs: readonly Dataset[],
  outputs: readonly OutputDataset[],
  { producer }: Naming,
): RunEvent {
  return {
    eventType,
    eventTime,
    ...who,
    inputs: [...inputs],
    outputs: [...outputs],
    producer,
    schemaURL: RUN_EVENT,
  };
}
