import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { keptText, storeOf } from "./kept.js";
import {
  type Ended,
  PROJECT,
  type Started,
  start,
  startLimited,
  tieout,
  workplace,
} from "./product.js";

const RUN = "refunds-2026-08-03";
/** The least that a claim may hold: a killed process is waited for as short as can be. */
const TTL = ["--ttl-seconds", "10"];
const ASKED = ["run", "refunds", "--as-of", "2026-08-03", "--inputs", "exports/2026-08-03", ...TTL];
const GOLDEN = readFileSync(
  `${PROJECT}fixtures/refunds/expected/2026-08-03/discrepancies.csv`,
  "utf8",
);
const LINUX = process.platform === "linux";
const MINUTES = { timeout: 600_000 };

/** Waits until something is so; says what it waited for when it never is. */
async function until(what: string, is: () => boolean): Promise<void> {
  for (let n = 0; n < 6_000; n++) {
    if (is()) return;
    await pause(10);
  }
  throw new Error(`waited in vain until ${what}`);
}

function events(cwd: string, attempt = 1): string[] {
  const path = `${cwd}/.tieout/runs/${RUN}/a${attempt}/journal.jsonl`;
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line) => /"event":"(\w+)"/.exec(line)?.[1] ?? []);
}

/** Processes whose parent is this one. */
function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        return parent === pid ? [Number(name)] : [];
      } catch {
        return []; // it has ended meanwhile
      }
    });
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function endsWith(started: Started, signal: NodeJS.Signals): Promise<Ended> {
  started.process.kill(signal);
  return started.ended;
}

function isCommitted(cwd: string): boolean {
  return existsSync(`${storeOf(cwd)}/refunds/${RUN}/committed.json`);
}

/** One working folder for each test, gone after it. */
async function inPlace(work: (cwd: string) => Promise<void>): Promise<void> {
  const cwd = workplace();
  try {
    await work(cwd);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

describe.skipIf(!LINUX)("a run that is killed", () => {
  test.each([
    ["after its inputs were pinned", "pin", 1],
    ["between two steps", "step", 2],
    ["before its files went to the store", "verify", 1],
  ])(
    "%s leaves no child, is waited for, and is then finished from what it had sealed",
    MINUTES,
    async (_, event, times) => {
      await inPlace(async (cwd) => {
        const first = start(ASKED, cwd);
        const seen = () => events(cwd).filter((e) => e === event).length >= times;
        await until(`the journal has ${event}`, seen);
        const children = childrenOf(first.process.pid ?? 0);
        await endsWith(first, "SIGKILL");
        await until("its children have ended", () => !children.some(isAlive));
        expect(isCommitted(cwd)).toBe(false);
        const sealed = events(cwd).filter((e) => e === "step").length;

        const early = await tieout(ASKED, cwd);
        expect(early).toMatchObject({ exit: 5, out: "" });
        expect(early.err).toMatch(/^CLAIMED_ELSEWHERE {2}refunds-2026-08-03\n/);
        expect(early.err).toMatch(
          /run again after \d{4}-\d\d-\d\dT[\d:.]+Z if that process is gone/,
        );

        const held = /after (\S+Z) if/.exec(early.err)?.[1] ?? "";
        await pause(Math.max(0, Date.parse(held) - Date.now()) + 50);
        expect(await tieout(ASKED, cwd)).toMatchObject({ exit: 0 });
        expect(keptText(cwd, RUN, "discrepancies.csv", 2)).toBe(GOLDEN);
        const { steps } = JSON.parse(keptText(cwd, RUN, "manifest.json", 2));
        const adopted = steps.filter((s: { adopted_from: number | null }) => s.adopted_from === 1);
        expect(adopted).toHaveLength(sealed);
      });
    },
  );
});

test(
  "of two processes that run one id at once, one commits and the other is told",
  MINUTES,
  async () => {
    await inPlace(async (cwd) => {
      const both = [start(ASKED, cwd), start(ASKED, cwd)];
      const ended = await Promise.all(both.map((s) => s.ended));
      const told = ended.find((e) => e.exit !== 0);
      expect(ended.map((e) => e.exit).sort()).toEqual([0, 5]);
      expect(told?.err).toMatch(
        /^(CLAIMED_ELSEWHERE|LOST_RACE|LEASE_LOST) {2}refunds-2026-08-03\n/,
      );
      expect(isCommitted(cwd)).toBe(true);
      const claims = readdirSync(`${storeOf(cwd)}/refunds/${RUN}/claims`);
      expect(claims).toEqual(["a1"]);
    });
  },
);

test.each(["SIGTERM", "SIGINT"] as const)(
  "a run that is asked to stop by %s says so, and nothing stays locked",
  MINUTES,
  async (signal) => {
    await inPlace(async (cwd) => {
      const first = start(ASKED, cwd);
      await until("the first step is sealed", () => events(cwd).includes("step"));
      const ended = await endsWith(first, signal);
      expect(ended.exit).toBe(signal === "SIGTERM" ? 143 : 130);
      expect(ended.err).toMatch(/^INTERRUPTED {2}refunds-2026-08-03\n/);
      const { out } = await tieout(["status", RUN, "--json"], cwd);
      expect(JSON.parse(out)).toMatchObject({ state: "failed", failure: { code: "INTERRUPTED" } });
      expect(await tieout(ASKED, cwd)).toMatchObject({ exit: 0 });
      expect(keptText(cwd, RUN, "discrepancies.csv", 2)).toBe(GOLDEN);
    });
  },
);

describe("a full disk", () => {
  const mountable = canMount();
  if (!mountable) console.warn("no tmpfs can be mounted here: tests of a full disk are skipped");

  test.skipIf(!mountable).each([
    ["runs", "128k", "DISK_FULL"],
    ["runs", "320k", "DISK_FULL"],
    ["runs", "480k", "DISK_FULL"],
    ["store", "128k", "DISK_FULL"],
    ["store", "400k", "DISK_FULL"],
  ])(
    "of %s at %s ends the run as %s, loses nothing, and the run then finishes",
    MINUTES,
    async (what, size, code) => {
      await inPlace(async (cwd) => {
        const dir = `${cwd}/.tieout/${what}`;
        mkdirSync(dir, { recursive: true });
        execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", dir]);
        try {
          const ended = await tieout(ASKED, cwd);
          expect(ended.err.split(" ")[0]).toBe(code);
          expect(ended.exit).toBe(6);
          expect(isCommitted(cwd)).toBe(false);
          execFileSync("mount", ["-o", "remount,size=64m", dir]);
          await afterClaim(cwd);
          expect(await tieout(ASKED, cwd)).toMatchObject({ exit: 0 });
          expect(await tieout(["recheck", RUN], cwd)).toMatchObject({ exit: 0 });
        } finally {
          execFileSync("umount", [dir]);
        }
      });
    },
  );

  test(
    "is not the only limit: a file that may not grow ends the run, and it then finishes",
    MINUTES,
    async () => {
      await inPlace(async (cwd) => {
        const ended = await startLimited("ulimit -f 100", ASKED, cwd).ended;
        expect(ended.exit).toBe(6);
        expect(isCommitted(cwd)).toBe(false);
        await afterClaim(cwd);
        expect(await tieout(ASKED, cwd)).toMatchObject({ exit: 0 });
      });
    },
  );
});

test.skipIf(!canMount())(
  "a folder that cannot be taken down is exit 10, and the run again finishes it",
  MINUTES,
  async () => {
    await inPlace(async (cwd) => {
      const first = start(ASKED, cwd);
      await until("the inputs are pinned", () => events(cwd).includes("pin"));
      const busy = `${cwd}/.tieout/runs/${RUN}/a1/previous`;
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", busy]);
      const ended = await first.ended;
      expect(isCommitted(cwd)).toBe(true);
      expect(ended.exit).toBe(10);
      expect(ended.out).toMatch(/^pending {4}teardown: /m);
      spawnSync("sh", ["-c", `awk '$2 ~ "^${cwd}/" { print $2 }' /proc/mounts | xargs umount`]);
      const again = await tieout(ASKED, cwd);
      expect(again.exit).toBe(0);
      expect(again.out).toContain("was committed before");
      expect(existsSync(`${cwd}/.tieout/runs/${RUN}`)).toBe(false);
    });
  },
);

/** A claim that could not be released for want of room runs out. */
async function afterClaim(cwd: string): Promise<void> {
  const { out } = await tieout(["status", RUN, "--json"], cwd);
  const { state, until: end } = JSON.parse(out);
  if (state === "running") await pause(Math.max(0, Date.parse(end) - Date.now()) + 50);
}

function canMount(): boolean {
  const dir = `${workplace()}/mount`;
  mkdirSync(dir);
  const made = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", dir]).status === 0;
  if (made) execFileSync("umount", [dir]);
  return made;
}
