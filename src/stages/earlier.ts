import type { Effects } from "../effects.js";
import { isTieout } from "../model/errors.js";
import type { RelationName } from "../model/ids.js";
import { type AttemptLayout, attemptLayout, attemptOf, runFolder } from "../model/layout.js";
import { PinRecord, StepRecord } from "../model/records.js";
import type { Claimed } from "../model/run.js";
import { readWhole } from "./journal.js";

/**
 * What earlier attempts of a run left on this disk. Their journals say what they sealed; nothing is
 * believed before its bytes were hashed again.
 */
interface Earlier {
  readonly attempt: number;
  readonly layout: AttemptLayout;
  readonly events: readonly { readonly event: string; readonly record: unknown }[];
}

type Needs = Pick<Effects, "folder" | "root">;

/**
 * Earlier attempts with a whole journal, the latest first. A damaged one is passed over: it proves
 * nothing.
 */
async function earlierAttempts(from: Claimed, fx: Needs): Promise<Earlier[]> {
  const names = await fx.folder.list(runFolder(fx.root, from.run_id));
  const numbers = names
    .flatMap((n) => attemptOf(n) ?? [])
    .filter((n) => n < from.attempt)
    .sort((a, b) => b - a);
  const found: Earlier[] = [];
  for (const attempt of numbers) {
    const layout = attemptLayout(fx.root, from.run_id, attempt);
    const events = await eventsOf(layout, fx);
    if (events !== null) found.push({ attempt, layout, events });
  }
  return found;
}

/** By input: the copies that the latest earlier attempt pinned and that still have their hashes. */
export async function earlierPins(from: Claimed, fx: Effects) {
  const pins = new Map<
    RelationName,
    {
      source: string;
      copy: (to: AttemptLayout["journal"]) => ReturnType<Effects["folder"]["copy"]>;
    }[]
  >();
  for (const { layout, events } of await earlierAttempts(from, fx)) {
    const record = PinRecord.safeParse(events.find((e) => e.event === "pin")?.record).data;
    for (const input of record?.inputs ?? []) {
      const whole = await Promise.all(
        input.files.map((f) => isWhole(layout.at(f.path), f.sha256, fx)),
      );
      if (pins.has(input.name) || whole.includes(false)) continue;
      const files = input.files.map((f) => ({
        source: f.source,
        copy: (to: AttemptLayout["journal"]) => fx.folder.copy(layout.at(f.path), to),
      }));
      pins.set(input.name, files);
    }
  }
  return pins;
}

/** Sealed steps of earlier attempts, the latest first. */
export async function earlierSteps(from: Claimed, fx: Needs) {
  const attempts = await earlierAttempts(from, fx);
  return attempts.flatMap(({ attempt, layout, events }) =>
    events.flatMap((e) => {
      const record = e.event === "step" ? StepRecord.safeParse(e.record).data : undefined;
      return record === undefined ? [] : [{ attempt, layout, record }];
    }),
  );
}

/** Whether a file is there with these bytes. */
export async function isWhole(
  path: AttemptLayout["journal"],
  sha256: string,
  fx: Needs,
): Promise<boolean> {
  try {
    return (await fx.folder.hash(path)).sha256 === sha256;
  } catch (e) {
    if (isTieout(e, "DISK")) return false;
    throw e;
  }
}

async function eventsOf(layout: AttemptLayout, fx: Needs): Promise<Earlier["events"] | null> {
  try {
    return (await readWhole(layout.journal, fx)).lines;
  } catch (e) {
    if (isTieout(e, "DISK") || isTieout(e, "DAMAGED")) return null;
    throw e;
  }
}
