import type { Format } from "./format.js";

/** Parquet as the engine writes it: every type of a column, nulls and the order of rows. */
export const parquet: Format = {
  name: "parquet",
  twin: false,
  limits: { rows: null, columns: null },
  loses: ["the zone of a timestamp: values are UTC, the zone is in the manifest"],
};
