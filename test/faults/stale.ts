import type { Key } from "../../src/model/ids.js";
import { beatOf, runKeys } from "../../src/model/layout.js";
import { castOf, describe, type Fate, type Ground } from "./cells.js";
import { TTL_MS } from "./process.js";
import { EXPORTS } from "./scenes.js";
import { type Look, memoryWorld } from "./world.js";

/** A process that sleeps before its `sleeps`-th call, past the end of its claim. */
export interface Sleep {
  readonly sleeps: number;
  /** The newer one's call before which the sleeper wakes and goes on to its end; null: after all. */
  readonly wakes: number | null;
}

/**
 * While one process sleeps, another with other inputs claims the run. The sleeper may then change
 * nothing outside its own attempt's folder and keys, and not harm the newer one.
 */
export async function runSleep({ sleeps, wakes }: Sleep, ground: Ground): Promise<Fate> {
  const world = await memoryWorld(ground.kept);
  const cast = castOf(world, ground, { others: true, rivals: true });
  const asleep = gate();
  const awake = gate();
  const held: string[] = [];
  const sleeper = cast.process({
    owner: "sleeper",
    before: async (n, call) => {
      if (n < sleeps) return;
      held.push(call);
      asleep.open();
      await awake.passed;
    },
  });
  const sleeping = cast.told(sleeper);
  await Promise.race([asleep.passed, sleeping]);
  const [at = null] = held;
  if (at === null) return { failed: null, breaks: cast.breaks() };
  world.clock.now += TTL_MS + 1000;
  let stale = false;
  const wake = async (): Promise<void> => {
    const [before, now] = [await world.look(), world.clock.now];
    stale = isStale("sleeper", before, held, ground);
    awake.open();
    await sleeping;
    const after = await world.look();
    if (stale) cast.add(...changesOf("sleeper", before, after, ground));
    if (stale && isTornDown(before, ground) && after.disk.has(ground.held.run_id))
      cast.add("I015 a stale attempt made a folder that was torn down");
    world.clock.now = now; // both went on at the same time
  };
  let waking: Promise<void> | null = null;
  const newer = cast.process({
    owner: "newer",
    exports: EXPORTS.corrected,
    before: async (n) => {
      if (wakes === null || n < wakes) return;
      waking ??= wake();
      await waking;
    },
  });
  const said = await cast.told(newer);
  waking ??= wake();
  await waking;
  if (stale && "error" in said) cast.add(`the newer one was harmed: ${describe(said.error)}`);
  return { failed: at, breaks: cast.breaks() };
}

/**
 * A newer one has claimed the run. Whoever sleeps just before the commit itself is not stale yet: of
 * two such creates the store lets one win.
 */
export function isStale(
  owner: string,
  before: Look,
  calls: readonly string[],
  { held }: Ground,
): boolean {
  const own = attemptsOf(owner, before);
  const all = [...before.store.keys()].flatMap((key) => beatOf(key as Key)?.attempt ?? []);
  if (own.length === 0) return false; // it has no lease yet: it claims as anybody does
  const passed = Math.max(0, ...all) > Math.max(0, ...own);
  return passed && !calls.includes(`create ${runKeys(held.run_id).committed}`);
}

/**
 * What a stale one changed outside its own attempt. That a committed run's folder goes is no harm,
 * whoever takes it down: the cast sees to it that all of it is proven first.
 */
export function changesOf(owner: string, before: Look, after: Look, { held }: Ground): string[] {
  const own = attemptsOf(owner, after);
  const run = `${held.job.job}/${held.run_id}/`;
  const keys = own.flatMap((n) => [`${run}a${n}/`, `${run}claims/a${n}/`, `${run}failed/a${n}/`]);
  const mine = (name: string): boolean =>
    ["inputs/", ...keys].some((prefix) => name.startsWith(prefix)) ||
    own.some((n) => `${name}/`.startsWith(`${held.run_id}/a${n}/`));
  const added = (a: Names, b: Names): string[] =>
    [...b.keys()].filter((name) => !a.has(name) && !mine(name));
  const committed = before.store.has(`${run}committed.json`);
  const folders = added(before.disk, after.disk).filter((name) => name !== held.run_id);
  return [
    ...added(before.store, after.store).map((name) => `I015 a stale attempt made ${name}`),
    ...folders.map((name) => `I015 a stale attempt made ${name}`),
    ...(committed ? [] : added(after.disk, before.disk)).map((n) => `I015 it removed ${n}`),
  ];
}

function isTornDown({ store, disk }: Look, { held }: Ground): boolean {
  return store.has(runKeys(held.run_id).committed) && !disk.has(held.run_id);
}

/** The attempts of a run that a process has claimed. */
export function attemptsOf(owner: string, { store }: Look): number[] {
  return [...store].flatMap(([key, bytes]) => {
    const at = beatOf(key as Key);
    return at !== null && Buffer.from(bytes).includes(`"${owner}"`) ? [at.attempt] : [];
  });
}
type Names = ReadonlyMap<string, unknown>;

function gate() {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
