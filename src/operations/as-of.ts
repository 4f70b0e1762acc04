import type { Clock } from "../effects.js";
import { TieoutError } from "../model/errors.js";
import { AsOf } from "../model/ids.js";
import type { Job } from "../model/job.js";

const DAY_MS = 86_400_000;

/**
 * The as-of date when none was given: today in the job's zone, plus its days.
 * @throws USAGE when the job does not say how to find one
 */
export function asOfToday(job: Job, clock: Pick<Clock, "now">): AsOf {
  if (job.as_of === undefined) {
    throw new TieoutError("USAGE", {
      subject: job.job,
      cause: "no as-of date was given, and the job does not say how to find one",
      remedy: "add --as-of YYYY-MM-DD, or as_of: { zone: Europe/Paris, days: -1 } to job.yaml",
    });
  }
  const { zone, days } = job.as_of;
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(clock.now());
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? "";
  const today = Date.parse(`${part("year")}-${part("month")}-${part("day")}T00:00:00Z`);
  return AsOf.parse(new Date(today + days * DAY_MS).toISOString().slice(0, 10));
}
