import { z } from "zod";
import { RunId } from "./ids.js";

/**
 * OpenLineage events, as the standard's version 2-0-2 has them (openlineage.io/spec). Facets are
 * open: each names its own schema.
 */
const Facet = z.looseObject({ _producer: z.string(), _schemaURL: z.string() });
const Facets = z.record(z.string(), Facet);
export type Facets = z.infer<typeof Facets>;

const Dataset = z.object({ namespace: z.string(), name: z.string(), facets: Facets });
export type Dataset = z.infer<typeof Dataset>;

const OutputDataset = Dataset.extend({ outputFacets: Facets });
export type OutputDataset = z.infer<typeof OutputDataset>;

export const RunEvent = z.object({
  eventType: z.enum(["START", "COMPLETE"]),
  eventTime: z.string(),
  run: z.object({ runId: z.uuid(), facets: Facets }),
  job: z.object({ namespace: z.string(), name: z.string(), facets: Facets }),
  inputs: z.array(Dataset),
  outputs: z.array(OutputDataset),
  producer: z.string(),
  schemaURL: z.string(),
});
export type RunEvent = z.infer<typeof RunEvent>;

/** What `lineage` answers: a committed run and each of its steps, in the order of time. */
export const LineageAnswer = z.object({ run_id: RunId, events: z.array(RunEvent) });
export type LineageAnswer = z.infer<typeof LineageAnswer>;
