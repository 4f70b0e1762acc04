import { nearest, TieoutError } from "../model/errors.js";
import type { InputSpec } from "../model/job.js";
import type { Opening } from "./csv-opening.js";
import type { PinnedFile } from "./reader.js";

/** Where each declared column lies in a record, from 0, in declared order. */
export type Positions = readonly number[];

/**
 * Compares a file's opening with the declared columns: names are compared exactly, in any order;
 * without a header the declared order counts. `extra_columns: ignore` lets undeclared ones be.
 * @throws INPUT_INVALID with every missing, undeclared and double column at once
 */
export function positionsOf(file: PinnedFile, opening: Opening, spec: InputSpec): Positions {
  const wanted = Object.entries(spec.columns).map(([name, column]) => column.header ?? name);
  const ignore = spec.extra_columns === "ignore";
  if (opening.names === null) return wanted.map((_, i) => i);
  const { names } = opening;
  const missing = wanted.filter((w) => !names.includes(w));
  const double = wanted.filter((w) => names.indexOf(w) !== names.lastIndexOf(w));
  const extra = ignore ? [] : names.flatMap((n, i) => (wanted.includes(n) ? [] : [i]));
  if (missing.length + double.length + extra.length === 0)
    return wanted.map((w) => names.indexOf(w));
  // A line that names no declared column may be data, which no message may hold (I018).
  if (missing.length === wanted.length && nearestOf(missing, names).length === 0)
    throw new TieoutError("INPUT_INVALID", {
      subject: file.source,
      cause: "line 1 after the skipped lines names none of the declared columns",
      remedy: [
        `give the file a header with ${wanted.join(", ")}`,
        "or declare csv: { header: false }, csv: { delimiter }, or skip.first for lines before it",
      ].join("; "),
      at: { missing: missing.length },
    });
  const said = [
    ...missing.map((m) => `no column ${m}${meant(m, names, wanted)}`),
    ...double.map((d) => `column ${d} twice`),
    ...extra.map((i) => `undeclared column ${names[i] || `number ${i + 1}, which has no name`}`),
  ];
  throw new TieoutError("INPUT_INVALID", {
    subject: file.source,
    cause: `the header has ${said.join("; ")}`,
    remedy: "declare every column, with header: where its name differs, or extra_columns: ignore",
    at: { missing: missing.length, double: double.length, undeclared: extra.length },
  });
}

function nearestOf(missing: readonly string[], names: readonly string[]): string[] {
  return missing.flatMap((m) => nearest(m, names) ?? []);
}

function meant(missing: string, names: readonly string[], wanted: readonly string[]): string {
  const near = nearest(
    missing,
    names.filter((n) => !wanted.includes(n)),
  );
  return near === null ? "" : ` (perhaps ${near})`;
}
