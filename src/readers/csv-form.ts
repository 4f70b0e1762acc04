import { TieoutError } from "../model/errors.js";
import type { RelationName } from "../model/ids.js";
import type { InputSpec } from "../model/job.js";
import type { Marks } from "./record-marks.js";

/** How a file is delimited, as its job says: `,` and `"` and a header by default. */
export interface CsvForm extends Marks {
  readonly header: boolean;
}

/** @throws JOB_INVALID for signs that a file of bytes cannot be split by */
export function formOf(input: RelationName, spec: InputSpec): CsvForm {
  const { delimiter = ",", quote = '"', header = true } = spec.csv ?? {};
  const cause = [delimiter, quote].some((c) => !/^[\t\x20-\x7e]$/.test(c))
    ? "a delimiter and a quote are one ASCII character each, no line end"
    : delimiter === quote || quote === " "
      ? "the delimiter and the quote must differ, and a space cannot quote"
      : null;
  if (cause !== null)
    throw new TieoutError("JOB_INVALID", {
      subject: `inputs.${input}.csv`,
      cause,
      remedy: "declare delimiter and quote as the file has them, such as ';' and '\"'",
    });
  return { delimiter: delimiter.charCodeAt(0), quote: quote.charCodeAt(0), header };
}
