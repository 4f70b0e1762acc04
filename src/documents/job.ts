import { nearest } from "../model/errors.js";
import { Job } from "../model/job.js";
import type { DocumentPath, Mistake, Problem } from "../model/mistake.js";
import { scaleOf } from "../model/money.js";
import { problems } from "../model/problems.js";
import { readDocument } from "./document.js";

/** What else is wrong with a job without `problems`, such as the details of its checks. */
export type Further = (job: Job) => readonly Problem[];

/** A job's text read: the job, or every mistake in the order of their lines. */
export interface ParsedJob {
  readonly job: Job | null;
  readonly mistakes: readonly Mistake[];
  /** The job as far as it can be judged: also with mistakes between its parts; else null. */
  readonly draft: Job | null;
  /** The place of a problem that is found later. */
  readonly place: (problem: Problem) => Mistake;
}

/**
 * Reads `job.yaml`. Every mistake is found at once: of the YAML, of single fields, and between
 * parts of the job. Only a text that is no YAML at all is told without the rest. Never throws on
 * a text.
 *
 * @param file what mistakes call the text, such as `jobs/refunds/job.yaml`
 * @param further asked when nothing else is wrong between the parts, so that it may rely on that
 */
export function parseJob(text: string, file: string, further: Further = () => []): ParsedJob {
  const { value, ...read } = readDocument(text, file, {
    schema: Job,
    empty: null,
    suggest,
    problems: (job) => {
      const own = problems(job);
      return own.length === 0 ? further(job) : own;
    },
  });
  return { job: value, ...read };
}

const SYNONYMS: Readonly<Record<string, string>> = {
  string: "text",
  varchar: "text",
  char: "text",
  str: "text",
  int: "integer",
  bigint: "integer",
  bool: "boolean",
  datetime: "timestamp",
};
const TYPES = ["text", "integer", "date", "timestamp", "boolean"];

/**
 * A valid text near one that a field refused, where the field is one of a job's own small
 * languages.
 */
function suggest(path: DocumentPath, found: unknown): string | null {
  if (typeof found !== "string") return null;
  if (path.at(-2) === "columns" || (path.at(-1) === "type" && path.at(-3) === "columns"))
    return nearestType(found.trim());
  if (path.at(-2) === "order_by") {
    const [, sign, item, way] = /^(-?)([a-z0-9_()]+) +(asc|desc)$/i.exec(found.trim()) ?? [];
    if (item === undefined || sign === undefined || way === undefined) return null;
    return `${way.toLowerCase() === "desc" && sign === "" ? "-" : ""}${item.toLowerCase()}`;
  }
  return null;
}

function nearestType(found: string): string | null {
  const lower = found.toLowerCase();
  const currency = /^money\( *([a-z]{3}) *\)$/.exec(lower)?.[1]?.toUpperCase();
  if (currency !== undefined) return scaleOf(currency) === null ? null : `money(${currency})`;
  const [, head, rest] = /^(decimal|numeric)(\( *\d+ *, *\d+ *\))$/.exec(lower) ?? [];
  if (head !== undefined && rest !== undefined && lower !== found) return `decimal${rest}`;
  if (head === "numeric") return `decimal${rest}`;
  return SYNONYMS[lower] ?? nearest(lower, TYPES);
}
