import { parseJob } from "../../src/documents/job.js";
import type { InvariantId } from "../../src/model/invariants.js";
import { type Example, textIn } from "./example.js";

const NAMES = /\b(a|the) (file|relation|column|job) (is )?(name|pattern)|\bis named\b|\bSQL file\b/;

/** A job with a path where a name belongs: the parser must refuse it for the name's sake. */
export function jobBreaks(example: Example): InvariantId[] {
  const { mistakes } = parseJob(textIn(example, "job.yaml"), "job.yaml");
  return mistakes.some((m) => NAMES.test(`${m.message} ${m.expected}`)) ? ["I001"] : [];
}
