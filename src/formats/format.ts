/**
 * A kind of file that an artefact or a scratch may be. Pure facts; `writers/` and engines make the
 * files.
 */
export interface Format {
  readonly name: "csv" | "parquet" | "xlsx";
  /**
   * Whether it renders a kept Parquet twin: reads and checks then use the twin, because the file
   * itself cannot hold every value or be queried.
   */
  readonly twin: boolean;
  /**
   * What it can hold; null is without a limit. Rows are rows of data, the header not among them.
   */
  readonly limits: { readonly rows: number | null; readonly columns: number | null };
  /** What does not survive in it, one sentence each; none is silent. */
  readonly loses: readonly string[];
}
