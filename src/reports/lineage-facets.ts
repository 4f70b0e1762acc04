import type { Column } from "../model/columns.js";
import type { Facets } from "../model/lineage.js";
import type { Manifest } from "../model/manifest.js";

const SPEC = "https://openlineage.io/spec";
export const RUN_EVENT = `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`;

/** The facets that events of ours carry; each is made for one producer, a URI. */
export function facetsOf(producer: string) {
  const facet = (schema: string, fields: object): Facets[string] => ({
    _producer: producer,
    _schemaURL: `${SPEC}/${schema}`,
    ...fields,
  });
  const standard = (version: string, name: string, fields: object): Facets[string] =>
    facet(`facets/${version}/${name}.json#/$defs/${name}`, fields);
  return {
    parent: (run: { runId: string }, job: { namespace: string; name: string }) =>
      standard("1-0-1", "ParentRunFacet", { run, job }),
    nominalTime: (as_of: string) =>
      standard("1-0-1", "NominalTimeRunFacet", { nominalStartTime: `${as_of}T00:00:00Z` }),
    engine: ({ name, version }: Manifest["engine"]) =>
      standard("1-1-0", "ProcessingEngineRunFacet", { name, version }),
    sql: (query: string) => standard("1-0-1", "SQLJobFacet", { query }),
    ownership: (owner: string) =>
      standard("1-0-0", "OwnershipJobFacet", { owners: [{ name: owner }] }),
    schema: (columns: readonly Column[]) =>
      standard("1-0-0", "SchemaDatasetFacet", {
        fields: columns.map(({ name, type }) => ({ name, type })),
      }),
    /** A file's version is its SHA-256: the same version, the same bytes. */
    version: (sha256: string) =>
      standard("1-0-0", "DatasetVersionDatasetFacet", { datasetVersion: sha256 }),
    assertions: (checks: Manifest["artefacts"][number]["checks"]) =>
      standard("1-0-1", "DataQualityAssertionsDatasetFacet", {
        assertions: checks.map(({ name, passed }) => ({ assertion: name, success: passed })),
      }),
    statistics: ({ rows, size_bytes }: { rows: number; size_bytes: number }) =>
      standard("1-0-1", "OutputStatisticsOutputDatasetFacet", { rowCount: rows, size: size_bytes }),
    /** Which run of ours this is, for whoever walks from an event back to the manifest. */
    manifest: (fields: object) => facet("2-0-2/OpenLineage.json#/$defs/RunFacet", fields),
  };
}
