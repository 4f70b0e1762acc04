import { readFileSync } from "node:fs";
import { sha256Of } from "../../src/model/canonical.js";
import { isTieout } from "../../src/model/errors.js";
import { type FaultPlan, Killed } from "../../src/model/fault.js";
import type { Sha256 } from "../../src/model/ids.js";
import { runKeys } from "../../src/model/layout.js";
import type { Held } from "../../src/model/run.js";
import { artefactsOf, type Circumstances, type Clean, keptBreaks, watch } from "./checker.js";
import type { Bytes } from "./plain.js";
import { type Life, startProcess, type Told, type Trouble, TTL_MS, walkTold } from "./process.js";
import { DATES, EXPORTS, heldRun, loadCards } from "./scenes.js";
import { recorded } from "./tape.js";
import { diceOf, interleaved } from "./turns.js";
import { memoryWorld, type World } from "./world.js";

/** What all cells start from: the night before is committed; and what a clean second night gives. */
export interface Ground {
  readonly held: Held;
  readonly kept: ReadonlyMap<string, Uint8Array>;
  readonly clean: Clean;
  readonly artefacts: ReadonlyMap<string, string>;
  /** What computes, over the files of a world. */
  readonly tools: (bytes: Bytes) => Pick<Life, "engine" | "reader" | "writer">;
  /** Calls of all ports in a clean walk, in their order. */
  readonly calls: readonly string[];
}

export async function layGround(
  tools: Ground["tools"] = recordedTools(),
  start?: World,
): Promise<Ground> {
  const loaded = await loadCards();
  const world = start ?? (await memoryWorld());
  const first = startProcess(world, { exports: EXPORTS.first, ...tools(world.bytes) });
  assertDone(await walkTold(heldRun(loaded, DATES.first), first));
  const kept = (await world.look()).store;
  const held = heldRun(loaded, DATES.second);
  let clean: Clean = new Map();
  const second = startProcess(world, {
    exports: EXPORTS.second,
    ...tools(world.bytes),
    before: async (_, call) => {
      if (call === `remove ${world.root}/${held.run_id}`) clean = await cleanOf(world, held);
    },
  });
  assertDone(await walkTold(held, second));
  const artefacts = artefactsOf(await world.look(), held.run_id) ?? new Map();
  return { held, kept, clean, artefacts, tools, calls: second.faults.calls };
}

/** The engine that answers from the record, a plain reader and a plain writer: nothing needs a disk. */
export function recordedTools(): Ground["tools"] {
  const answers = JSON.parse(readFileSync(new URL("recording.json", import.meta.url), "utf8"));
  return (bytes) => ({ engine: recorded(answers, bytes) });
}

/** The ways in which a port's call fails. */
export const TROUBLES = {
  before: { plan: { mode: "before", times: "once" }, hits: "all" },
  after: { plan: { mode: "after", times: "once" }, hits: "all" },
  torn: { plan: { mode: "torn", times: "once" }, hits: "all" },
  kill: { plan: { mode: "kill", times: "onward" }, hits: "all" },
  onward: { plan: { mode: "before", times: "onward" }, hits: "all" },
  down: { plan: { mode: "before", times: "onward" }, hits: "store" },
  mute: { plan: { mode: "after", times: "onward" }, hits: "store" },
  refused: { plan: { mode: "before", times: "once" }, hits: "creates" },
} as const satisfies Readonly<
  Record<string, { plan: Omit<FaultPlan, "at">; hits: Trouble["hits"] }>
>;
export type TroubleName = keyof typeof TROUBLES;

/** How a run is taken up again after a fault. */
export const RESUMES = ["once", "twice", "at once"] as const;
export type Resume = (typeof RESUMES)[number];

/** What the walk that fails begins with: nothing, a dead attempt with all steps sealed, or a commit. */
export const STARTS = ["nothing", "sealed", "committed"] as const;
export type Start = (typeof STARTS)[number];

export interface Cell {
  readonly start: Start;
  readonly trouble: TroubleName;
  readonly at: number;
  readonly resume: Resume;
  readonly seed: number;
}

/** What became of a cell. `failed` is null past the last call: there was nothing to fail. */
export interface Fate {
  readonly failed: string | null;
  readonly breaks: readonly string[];
}

/** Fails one call of a walk, takes the run up again, and states all that is not so. */
export async function runCell(cell: Cell, ground: Ground): Promise<Fate> {
  const world = await memoryWorld(ground.kept);
  const { plan, hits } = TROUBLES[cell.trouble];
  const cast = castOf(world, ground, {});
  if (cell.start !== "nothing") {
    const at = lastCall(cell.start, ground) + 1;
    const plan = { at, mode: "kill", times: "onward" } as const;
    await cast.told(cast.process({ trouble: { plan, hits: "all" } }));
    world.clock.now += TTL_MS + 1000;
  }
  const first = cast.process({ trouble: { plan: { ...plan, at: cell.at }, hits } });
  const told = await cast.told(first);
  const failed = first.faults.failed;
  if (failed === null) return { failed, breaks: cast.breaks() };
  const abrupt =
    "error" in told && (told.error instanceof Killed || isTieout(told.error, "UNKNOWN"));
  if (cell.resume === "at once") await cast.race(cell.seed);
  await cast.finish(!abrupt && plan.times === "once");
  if (cell.resume === "twice") await cast.finish(true);
  return { failed, breaks: cast.breaks() };
}

/** The number of the last call that the process before made, from 1. */
function lastCall(start: Exclude<Start, "nothing">, { calls, held }: Ground): number {
  const { committed } = runKeys(held.run_id);
  const ends = start === "committed" ? `create ${committed}` : `hash`;
  return calls.findLastIndex((call) => call.startsWith(ends)) + 1;
}

/** The processes of a cell over one world, with everything that they say checked as they say it. */
export function castOf(world: World, ground: Ground, at: Circumstances) {
  const { held } = ground;
  let rivals = at.rivals ?? false;
  const circumstances = {
    ...at,
    get rivals() {
      return rivals;
    },
  };
  const eye = watch(world, held.run_id, ground.clean, circumstances);
  const more: string[] = [];
  const folder = `remove ${world.root}/${held.run_id}`;
  const process = (life: Partial<Life> = {}) =>
    startProcess(world, {
      exports: EXPORTS.second,
      ...ground.tools(world.bytes),
      ...life,
      before: async (n, call) => {
        await life.before?.(n, call);
        if (call === folder && !at.damaged) more.push(...(await unproven(world, held)));
      },
    });
  const told = async (p: ReturnType<typeof process>): Promise<Told> => {
    const said = await walkTold(held, p);
    await eye.look(said);
    return said;
  };
  return {
    process,
    told,
    /** What a process said is checked against what is there now. */
    tell: eye.look,
    breaks: (): string[] => [...new Set([...eye.breaks(), ...more])],
    add: (...found: readonly string[]): void => void more.push(...found),
    /** Two processes at once, in an order that the seed decides. */
    race: async (seed: number): Promise<Told[]> => {
      rivals = true;
      const play = (turn: () => Promise<void>): Promise<Told> =>
        told(process({ before: turn })).finally(() => {
          rivals = false;
        });
      return interleaved([play, play], diceOf(seed));
    },
    /** Walks until the run is done, as cron would; claims of the dead run out meanwhile. */
    finish: async (at_once: boolean, start = () => process()): Promise<void> => {
      for (let tries = 1; tries <= 4; tries++) {
        const said = await told(start());
        if ("outcome" in said) {
          if (said.outcome.exit !== 0) more.push(`resumed with exit ${said.outcome.exit}`);
          const now = artefactsOf(await world.look(), held.run_id) ?? new Map();
          if (!at.others && !sameEntries(now, ground.artefacts))
            more.push("I010 resumed, the artefacts are not those of a clean run");
          return;
        }
        const waits = isTieout(said.error, "CLAIMED_ELSEWHERE");
        if (!waits || at_once) {
          more.push(`not done when resumed: ${describe(said.error)}`);
          return;
        }
        world.clock.now += TTL_MS + 1000;
      }
      more.push("not done when resumed four times");
    },
  };
}

async function unproven(world: World, held: Held): Promise<string[]> {
  const look = await world.look();
  const key = `${held.job.job}/${held.run_id}/committed.json`;
  if (!look.store.has(key)) return ["I013 the folder goes and the run is not committed"];
  return keptBreaks(look, key).map((b) => `I013 the folder goes: ${b}`);
}

async function cleanOf(world: World, held: Held): Promise<Clean> {
  const prefix = `${held.run_id}/a1/`;
  const { disk } = await world.look();
  return new Map(
    [...disk].flatMap(([name, bytes]): [string, Sha256][] =>
      bytes !== null && name.startsWith(prefix)
        ? [[name.slice(prefix.length), sha256Of(bytes)]]
        : [],
    ),
  );
}

export function assertDone(told: Told): void {
  if ("error" in told) throw told.error;
  if (told.outcome.exit !== 0) throw told.outcome.pending;
}

export function describe(error: unknown): string {
  return isTieout(error) ? `${error.code} ${error.subject}: ${error.message}` : String(error);
}

export function sameEntries(
  a: ReadonlyMap<string, string>,
  b: ReadonlyMap<string, string>,
): boolean {
  return a.size === b.size && [...a].every(([k, v]) => b.get(k) === v);
}
