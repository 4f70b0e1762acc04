import { z } from "zod";
import { documentText } from "../model/canonical.js";
import { TieoutError } from "../model/errors.js";
import type { Key } from "../model/ids.js";
import type { Retention } from "./store.js";
import { storeError } from "./trouble.js";

/**
 * Retention that no store enforces: numbered documents about one version of an object, each created
 * once, the last one counts. They only bind tieout. One that is lost is damage and never shortens
 * what is kept; only of the newest nobody can tell that it was there.
 */
const Recorded = z.object({ until: z.iso.datetime().nullable(), held: z.boolean() });
type Recorded = z.infer<typeof Recorded>;

/** The documents about one version, by their numbers from 1. */
export interface Numbered {
  readonly numbers: () => Promise<readonly number[]>;
  readonly text: (n: number) => Promise<string>;
  /** False when the number is taken. */
  readonly create: (n: number, text: string) => Promise<boolean>;
}

const TRIES = 16;

/** @throws DAMAGED when a document is lost */
export async function readRecorded(key: Key, numbered: Numbered): Promise<Retention> {
  return { ...(await last(key, numbered)).value, mode: "recorded" };
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
    const { n, value } = await last(key, numbered);
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

async function last(key: Key, numbered: Numbered): Promise<{ n: number; value: Recorded }> {
  const numbers = await numbered.numbers();
  const n = Math.max(0, ...numbers);
  if (numbers.length !== n)
    throw damaged(key, `of the ${n} documents of its retention ${n - numbers.length} are lost`);
  if (n === 0) return { n, value: { until: null, held: false } };
  const text = await numbered.text(n);
  try {
    return { n, value: Recorded.parse(JSON.parse(text)) };
  } catch {
    throw damaged(key, `document ${n} of its retention is not one`);
  }
}

function damaged(key: Key, cause: string): TieoutError {
  const remedy = "restore the document from a backup of the store; until then it is not removed";
  return new TieoutError("DAMAGED", { subject: key, cause, remedy });
}

function retained(key: Key, cause: string): TieoutError {
  return new TieoutError("RETAINED", {
    subject: key,
    cause,
    remedy: "wait until its time is over and its holds are released, then purge again",
  });
}
