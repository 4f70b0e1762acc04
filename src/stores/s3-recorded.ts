import { z } from "zod";
import { documentText, textBody } from "../model/canonical.js";
import type { Key } from "../model/ids.js";
import type { Bucket } from "./s3-client.js";
import { type Creating, create } from "./s3-create.js";
import { namesBelow } from "./s3-list.js";
import { text } from "./s3-read.js";
import type { Retention, Stored } from "./store.js";
import { storeError } from "./trouble.js";

/**
 * Retention in a bucket without Object Lock: numbered documents beside the object, each created
 * once, the last one counts. They only bind tieout; whoever has the bucket's keys can delete both.
 * Their names are no keys, so that no list shows them.
 */
const Recorded = z.object({ until: z.iso.datetime().nullable(), held: z.boolean() });
type Recorded = z.infer<typeof Recorded>;

const NOTHING: Recorded = { until: null, held: false };
const TRIES = 16;

/** Prefix of the documents about one version. */
function place(stored: Stored): string {
  return `.tieout/retention/${stored.key}/${stored.version}/`;
}

function numberedName(stored: Stored, n: number): Key {
  return `${place(stored)}${String(n).padStart(6, "0")}.json` as Key;
}

export async function readRecorded(bucket: Bucket, stored: Stored): Promise<Retention> {
  return shown((await last(bucket, stored)).value);
}

/**
 * Writes the next document. Of two writers one wins a number, and the other begins again from what
 * the first one wrote, so no extension and no hold is lost.
 */
export async function record(
  how: Creating,
  stored: Stored,
  change: (now: Recorded) => Recorded,
): Promise<Retention> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { n, value } = await last(how.bucket, stored);
    const next = change(value);
    if (next.until === value.until && next.held === value.held) return shown(value);
    const body = textBody(documentText(next));
    const made = await create(how, numberedName(stored, n + 1), body, { kind: "retention" });
    if (made.mine) return shown(next);
  }
  throw storeError(stored.key, "others change its retention all the time", "try again later");
}

/** The later of two instants. */
export function later(now: string | null, until: string): string {
  return now !== null && Date.parse(now) >= Date.parse(until) ? now : until;
}

/** The documents' names, for whoever removes the object. */
export function recordedNames(bucket: Bucket, stored: Stored): Promise<string[]> {
  return namesBelow(bucket, place(stored));
}

async function last(bucket: Bucket, stored: Stored): Promise<{ n: number; value: Recorded }> {
  const n = (await recordedNames(bucket, stored)).length;
  if (n === 0) return { n, value: NOTHING };
  const document = await text(bucket, numberedName(stored, n));
  return { n, value: Recorded.parse(JSON.parse(document)) };
}

function shown(value: Recorded): Retention {
  return { ...value, mode: "recorded" };
}
