import type { InvariantId } from "../../src/model/invariants.js";
import { type Example, textIn } from "./example.js";

interface Call {
  readonly call: string;
  readonly subject: string;
}

/**
 * The port calls of one run in the order they were made, as `faultsOf` records them: `create <key>`,
 * `head <key>`, `remove <folder>`.
 */
export function traceBreaks(example: Example): InvariantId[] {
  const calls = textIn(example, "trace.txt").trimEnd().split("\n").map(callOf);
  return [...createdAfterManifest(calls), ...removedUnproven(calls)];
}

function callOf(line: string): Call {
  const [call = "", ...rest] = line.split(" ");
  return { call, subject: rest.join(" ") };
}

const MANIFEST = /\/a\d+\/manifest\.json$/;
const KEPT = /^inputs\/|\/a\d+\//;

function createdAfterManifest(calls: readonly Call[]): InvariantId[] {
  const created = calls.filter((c) => c.call === "create" && isKept(c)).map((c) => c.subject);
  const at = created.findIndex((key) => MANIFEST.test(key));
  return at >= 0 && at < created.length - 1 ? ["I004"] : [];
}

/** A run's folder goes only after the store, asked after the commit, has everything that was kept. */
function removedUnproven(calls: readonly Call[]): InvariantId[] {
  const commit = calls.findIndex(
    (c) => c.call === "create" && /\/committed\.json$/.test(c.subject),
  );
  const gone = calls.findIndex((c, at) => c.call === "remove" && at > commit);
  if (commit < 0 || gone < 0) return [];
  const asked = new Set(
    calls.slice(commit, gone).flatMap((c) => (c.call === "head" ? [c.subject] : [])),
  );
  const kept = calls.slice(0, commit).filter((c) => c.call === "create" && isKept(c));
  return kept.every((c) => asked.has(c.subject)) ? [] : ["I013"];
}

function isKept({ subject }: Call): boolean {
  return KEPT.test(subject) && !/\/(claims|failed|ledger)\//.test(subject);
}
