import { z } from "zod";
import { RunId, Sha256 } from "./ids.js";

/**
 * What happened to a committed run, as `ledger/<seq>.json` says it. Numbers begin at 1; `prev` is
 * the SHA-256 of the entry before, of the manifest for the first one (I017). Read tolerantly,
 * written from this type alone; no row of data is in one (I018).
 */
const Reasoned = z.object({ reason: z.string() });

/** An object that a purge takes away, and what it held: its tombstone. */
export const Tombstone = z.object({
  /** As the run's receipts list it. */
  path: z.string(),
  key: z.string(),
  version: z.string(),
  sha256: Sha256,
  size_bytes: z.int(),
  /** Null for what has no rows, such as SQL. */
  rows: z.int().nullable(),
});
export type Tombstone = z.infer<typeof Tombstone>;

/** A readable copy of an artefact in a shared place. */
const Shared = z.object({
  path: z.string(),
  to: z.string(),
  sha256: Sha256,
  size_bytes: z.int(),
});

const Entry = z.object({
  schema: z.literal("tieout/act/1"),
  run_id: RunId,
  seq: z.int().min(1),
  /** By the store's clock. */
  at: z.iso.datetime(),
  /** Who did it: the `owner` of the process, as claims have it. */
  by: z.string(),
  prev: Sha256,
});

export const Act = z.discriminatedUnion("kind", [
  Entry.extend({
    kind: z.literal("share"),
    detail: z.object({ destination: z.string(), files: z.array(Shared) }),
  }),
  Entry.extend({ kind: z.literal("hold"), detail: Reasoned }),
  Entry.extend({ kind: z.literal("release"), detail: Reasoned }),
  Entry.extend({
    kind: z.literal("extend"),
    detail: Reasoned.extend({ until: z.iso.datetime() }),
  }),
  Entry.extend({
    kind: z.literal("purge"),
    detail: z.object({ objects: z.array(Tombstone) }),
  }),
  Entry.extend({ kind: z.literal("supersede"), detail: z.object({ by: RunId }) }),
]);
export type Act = z.infer<typeof Act>;
export type ActKind = Act["kind"];
export type ActOf<K extends ActKind> = Extract<Act, { kind: K }>;

/** Since when a run is on hold, and why; null when it was never held, or was released. */
export interface Hold {
  readonly since: string;
  readonly reasons: readonly string[];
}
export function heldOf(acts: readonly Act[]): Hold | null {
  const released = acts.findLastIndex((act) => act.kind === "release");
  const holds = acts.slice(released + 1).filter((act) => act.kind === "hold");
  const [first] = holds;
  if (first === undefined) return null;
  return { since: first.at, reasons: holds.map(({ detail }) => detail.reason) };
}

/** The last instant that an act extends to, inclusive, or null. */
export function extendedOf(acts: readonly Act[]): string | null {
  return laterOf(acts.map((act) => (act.kind === "extend" ? act.detail.until : null)));
}

/** What was purged, by path, with the instant at which it was said. */
export function purgedOf(acts: readonly Act[]): Map<string, Tombstone & { readonly at: string }> {
  const purges = acts.filter((act) => act.kind === "purge");
  const objects = purges.flatMap(({ at, detail }) => detail.objects.map((o) => ({ ...o, at })));
  return new Map(objects.map((object) => [object.path, object]));
}

/** The latest of some instants; null when there is none. */
export function laterOf(instants: readonly (string | null)[]): string | null {
  const known = instants.filter((i) => i !== null);
  return known.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? null;
}
