import { describe, expect, test } from "vitest";
import type { Job } from "../../src/model/job.js";
import { asOfToday } from "../../src/operations/as-of.js";

const at = (iso: string) => ({ now: () => Date.parse(iso) });
const job = (as_of: unknown): Job => ({ job: "till", as_of }) as Job;

describe("the as-of date that nobody gave", () => {
  test.each([
    ["Europe/Paris", 0, "2026-08-09T21:59:59Z", "2026-08-09"],
    ["Europe/Paris", 0, "2026-08-09T22:00:00Z", "2026-08-10"],
    ["America/New_York", -1, "2026-03-01T04:59:59Z", "2026-02-27"],
    ["America/New_York", -1, "2026-03-01T05:00:00Z", "2026-02-28"],
    ["Asia/Kathmandu", 1, "2027-12-31T18:14:59Z", "2028-01-01"],
    ["UTC", -1, "2028-03-01T00:00:00Z", "2028-02-29"],
  ])("in %s, %i days on, at %s, is %s", (zone, days, now, date) => {
    expect(asOfToday(job({ zone, days }), at(now))).toBe(date);
  });

  test("is asked for when the job does not say how to find it", () => {
    expect(() => asOfToday(job(undefined), at("2026-08-10T00:00:00Z"))).toThrow(/no as-of date/);
  });
});
