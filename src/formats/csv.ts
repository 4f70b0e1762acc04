import type { Format } from "./format.js";

/** Canonical CSV: UTF-8, comma, LF, a null is an empty field and an empty text is `""`. */
export const csv: Format = {
  name: "csv",
  twin: false,
  limits: { rows: null, columns: null },
  loses: ["types: they are in the manifest"],
};
