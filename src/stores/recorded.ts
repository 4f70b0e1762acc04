import { z } from "zod";
import { documentText } from "../model/canonical.js";
import { TieoutError } from "../model/errors.js";
import type { Key } from "../model/ids.js";
import type { Retention } from "./store.js";
import { storeError } from "./trouble.js";

/**
 * Retention that no store enforces: numbered documents about one version of an object, each created
 * once, the last one counts. They only bind tieout.
 */
const Recorded = z.object({ until: z.iso.datetime().nullable(), held: z.boolean() });
type Recorded = z.infer<typeof Recorded>;

/** The documents about one version, by their numbers from 1. */
export interface Numbered {
  readonly count: () => Promise<number>;
  readonly text: (n: number) => Promise<string>;
  /** False when the number is taken. */
  readonly create: (n: number, text: string) => Promise<boolean>;
}

const TRIES = 16;

export async function readRecorded(numbered: Numbered): Promise<Retention> {
  return { ...(await last(numbered)).value, mode: "recorded" };
}

/**
 * Writes the next document, or none where nothing changes. Of two writers one wins a number, and
 * the other begins again from what the first one wrote, so no extension and no hold is lost.
 */
export async function record(
  key: Key,
  numbered: Numbered,
  change: (now: Recorded) => Recorded,
): Promise<Retention> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { n, value } = await last(numbered);
    const next = change(value);
    const isSame = next.until === value.until && next.held === value.held;
    if (isSame || (await numbered.create(n + 1, documentText(next))))
      return { ...next, mode: "recorded" };
  }
  throw storeError(key, "others change its retention all the time", "try again later");
}

/** Extends only: the later of two instants stays. */
export function extended(until: string): (now: Recorded) => Recorded {
  return (now) => {
    const stays = now.until !== null && Date.parse(now.until) >= Date.parse(until);
    return stays ? now : { ...now, until };
  };
}

/** @throws RETAINED while a version is held, or its time, inclusive, is not over */
export function assertRemovable(key: Key, kept: Retention, now: number): void {
  if (kept.held) throw retained(key, "it is on legal hold");
  if (kept.until !== null && Date.parse(kept.until) >= now)
    throw retained(key, `it is kept until ${kept.until} (${kept.mode})`);
}

async function last(numbered: Numbered): Promise<{ n: number; value: Recorded }> {
  const n = await numbered.count();
  if (n === 0) return { n, value: { until: null, held: false } };
  return { n, value: Recorded.parse(JSON.parse(await numbered.text(n))) };
}

function retained(key: Key, cause: string): TieoutError {
  return new TieoutError("RETAINED", {
    subject: key,
    cause,
    remedy: "wait until its time is over and its holds are released, then purge again",
  });
}
