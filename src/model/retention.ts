import { z } from "zod";
import { Tombstone } from "./act.js";
import { RunId } from "./ids.js";

const Mode = z
  .enum(["recorded", "governance", "compliance"])
  .describe("recorded: only tieout refuses to remove; the others: the store does (Object Lock)");

/** One act of a run's ledger in a line. */
const ActLine = z.object({
  seq: z.int(),
  kind: z.string(),
  at: z.string(),
  by: z.string(),
  says: z.string(),
});

/** For how long a committed run is kept, and what happened to it since. Times are ISO, in UTC. */
export const Keeping = z.object({
  held: z
    .object({ since: z.string(), reasons: z.array(z.string()) })
    .nullable()
    .describe("while on hold nothing of it is purged, however old it is"),
  until: z
    .string()
    .nullable()
    .describe("the earliest instant, inclusive, until which a file with rows is kept"),
  mode: Mode.nullable(),
  objects: z.int().describe("objects that are kept, documents included"),
  objects_held: z.int().describe("of these, on hold in the store"),
  purged: z.array(
    Tombstone.pick({ path: true, rows: true, sha256: true }).extend({ at: z.string() }),
  ),
  acts: z.array(ActLine).describe("the run's ledger, in order"),
});
export type Keeping = z.infer<typeof Keeping>;

/** What an act on one run came to. */
export const ActAnswer = z.object({
  run_id: RunId,
  changed: z.boolean().describe("false: it was so before, and nothing was to be said"),
  kept: Keeping,
});
export type ActAnswer = z.infer<typeof ActAnswer>;

const PurgeRun = z.object({
  run_id: RunId,
  objects: z.array(Tombstone).describe("expired, not on hold, and referred to by no kept run"),
  pending: z.array(Tombstone).describe("said by an earlier purge and still in the store"),
  removed: z.int(),
  shared: z.array(z.string()).describe("purged of this run, and still there for another one"),
  refused: z.array(z.string()).describe("what the store or the ledger refused to let go, and why"),
  kept: z.array(z.string()).describe("what is kept of the run, and why"),
});
export type PurgeRun = z.infer<typeof PurgeRun>;

export const PurgeAnswer = z.object({
  now: z.string().describe("by the store's clock"),
  applied: z.boolean().describe("false: this is only the list, and nothing was changed"),
  runs: z.array(PurgeRun),
  objects: z.int(),
  size_bytes: z.int(),
});
export type PurgeAnswer = z.infer<typeof PurgeAnswer>;
