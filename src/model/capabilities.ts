import { z } from "zod";

/** One question that was put to a store with real requests, and what came of it. */
export const Probe = z.object({
  probe: z.string(),
  expected: z.string(),
  found: z.string(),
  holds: z.boolean(),
  needed: z.boolean().describe("false: it is told, and runs do without it"),
});
export type Probe = z.infer<typeof Probe>;

/** What `doctor` found out about the configured store. */
export const DoctorAnswer = z.object({
  kind: z.enum(["dir", "s3"]),
  place: z.string().describe("folder, or bucket and prefix; never a credential"),
  probes: z.array(Probe),
  will: z.array(z.string()).describe("what runs will therefore do"),
  fit: z.boolean().describe("whether everything that is needed holds"),
});
export type DoctorAnswer = z.infer<typeof DoctorAnswer>;

/** What a run found its store to keep to; the manifest says it. Nothing here is only configured. */
export const StoreFacts = z.object({
  kind: z.enum(["memory", "dir", "s3"]),
  conditional_create: z
    .string()
    .describe("what lets one caller alone create a key, and how that is known"),
  versions: z.boolean().nullable().describe("whether an object is read by the store's own version"),
  retention: z
    .enum(["recorded", "governance", "compliance"])
    .describe("recorded: only tieout keeps to it; the others: the store itself does"),
});
export type StoreFacts = z.infer<typeof StoreFacts>;

/** Names of the probes that decide what a run does; the rest are told. */
export const CREATE_TWICE = "a second conditional create";
export const CREATE_RACE = "a race of 8 conditional creates";

/** The answer as a whole, from what was found. */
export function diagnosis(
  kind: DoctorAnswer["kind"],
  place: string,
  probes: readonly Probe[],
): DoctorAnswer {
  const failed = probes.filter((p) => p.needed && !p.holds);
  const will = failed.length === 0 ? ["keep runs here"] : failed.map(consequence);
  return { kind, place, probes: [...probes], will, fit: failed.length === 0 };
}

function consequence({ probe, found }: Probe): string {
  if (probe === CREATE_TWICE || probe === CREATE_RACE)
    return (
      `refuse to commit: ${probe}: ${found}; name a bucket without versions for claims and ` +
      "commits (store.s3.control.bucket and .prefix), or use another store"
    );
  return `refuse to rely on it: ${probe}: ${found}`;
}
