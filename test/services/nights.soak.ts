import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import type { S3Options } from "../../src/stores/s3.js";
import { sdk } from "../../src/stores/s3-client.js";
import { PROJECT, start, tieout, workplace } from "../e2e/product.js";
import { type Dice, diceOf } from "../faults/turns.js";
import type { Night } from "../jobs/nights.js";
import { clientOn, isRunning, start as startServer } from "./servers.js";

/** `SOAK_SEED` replays the moments, as far as a machine's speed lets it; `SOAK_KILLS` says how many. */
const SEED = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000);
const KILLS = Number(process.env.SOAK_KILLS ?? 200);
/** Chains of nights side by side: most of a chain's time goes by while a dead run's claim holds. */
const CHAINS = 4;
/** The least that a claim may hold. */
const TTL = ["--ttl-seconds", "10"];

const pair = `${PROJECT}../shared/inputs/pairs/H2_librarieswest_bills_1.1M/`;
const absent = !existsSync(`${pair}bills.tar.xz`);
if (absent) console.warn("the 27 nights of library bills are not here: their test is skipped");
const gateway = absent ? null : await startServer("versitygw");
const running = gateway !== null && isRunning(gateway) ? gateway : null;
if (gateway !== null && !isRunning(gateway)) console.warn(gateway.missing);
const bills = mkdtempSync(`${tmpdir()}/tieout-bills-`);
afterAll(async () => {
  await running?.stop();
  rmSync(bills, { recursive: true, force: true });
});

type Step = Night & { readonly file: string };

/** A chain of nights: where it works, below which prefix of the bucket, and what has befallen it. */
interface Chain {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly dice: Dice;
  /** Milliseconds of the last run that nobody killed: moments are picked from so long. */
  typical_ms: number;
  kills: number;
}

test.skipIf(running === null)(
  `27 nights into a bucket, each process killed at any moment, ${KILLS} times in all (seed ${SEED})`,
  async () => {
    if (running === null) return;
    const options = await running.bucket("nights", { lock: true });
    execFileSync("tar", ["-xf", `${pair}bills.tar.xz`, "-C", bills]);
    const steps: Step[] = JSON.parse(readFileSync(`${pair}TRUTH.json`, "utf8")).steps;
    const chains = Array.from({ length: CHAINS }, (_, n) =>
      chainOf(n, running.url, options.bucket),
    );
    await Promise.all(
      chains.map(async (chain, n) => {
        const share = Math.floor((KILLS + n) / CHAINS);
        for (const [i, step] of steps.entries())
          await night(chain, step, Math.round((share * (i + 1)) / steps.length));
        await judge(chain, steps);
        rmSync(chain.cwd, { recursive: true });
      }),
    );
    expect(chains.reduce((sum, c) => sum + c.kills, 0)).toBe(KILLS);
    await oneCommitEach(options, CHAINS * steps.length);
  },
  7_200_000,
);

function chainOf(n: number, url: string, bucket: string): Chain {
  const env = {
    AWS_ACCESS_KEY_ID: "tester",
    AWS_SECRET_ACCESS_KEY: "testsecret",
    AWS_ENDPOINT_URL_S3: url,
    TIEOUT_STORE_S3_BUCKET: bucket,
    TIEOUT_STORE_S3_LOCK_MODE: "governance",
    TIEOUT_STORE_S3_LOCK_SECONDS: "30",
    TIEOUT_STORE_PREFIX: `chain-${n}`,
  };
  return { cwd: workplace(), env, dice: diceOf(SEED + n), typical_ms: 4_000, kills: 0 };
}

/**
 * Runs a night until it is done, and kills it until the chain has met so many kills. A night that
 * was done before its moment is run again and killed amid that: it takes less time, and the moments
 * are picked from ever less.
 */
async function night(chain: Chain, step: Step, kills: number): Promise<void> {
  const as_of = step.file.slice(0, 10);
  mkdirSync(`${chain.cwd}/nights/${as_of}`, { recursive: true });
  copyFileSync(`${bills}/lw/${step.file}`, `${chain.cwd}/nights/${as_of}/${step.file}`);
  const begun = Date.now();
  let span_ms = chain.typical_ms;
  while (chain.kills < kills)
    if (await attempt(chain, as_of, chain.dice(span_ms))) span_ms = Math.ceil(span_ms / 2);
  for (;;) if (await attempt(chain, as_of, null)) break;
  const at = `${chain.env.TIEOUT_STORE_PREFIX} ${as_of}`;
  process.stdout.write(`${at}: ${chain.kills} kills, ${Date.now() - begun} ms\n`);
}

/**
 * One process. A dead run's claim is waited for.
 * @param kill_ms when it is killed, unless it has ended by then; null: never
 * @returns whether the night is done
 */
async function attempt(chain: Chain, as_of: string, kill_ms: number | null): Promise<boolean> {
  const { process: child, ended } = start(asked(as_of), chain.cwd, chain.env);
  const begun = Date.now();
  const timer = kill_ms === null ? null : setTimeout(() => child.kill("SIGKILL"), kill_ms);
  const { exit, err } = await ended;
  if (timer !== null) clearTimeout(timer);
  if (child.signalCode === "SIGKILL") {
    chain.kills += 1;
    return false;
  }
  if (exit === CLAIMED) {
    const until = /run again after (\S+Z)/.exec(err)?.[1] ?? "";
    await pause(Math.max(0, Date.parse(until) - Date.now()));
    return false;
  }
  expect({ as_of, exit, err }).toEqual({ as_of, exit: 0, err: "" });
  if (kill_ms === null) chain.typical_ms = Math.max(1_000, Date.now() - begun);
  return true;
}
const CLAIMED = 5;

function asked(as_of: string): string[] {
  const inputs = `nights/${as_of}`;
  return ["run", "library-bills", "--as-of", as_of, "--inputs", inputs, ...TTL];
}

/** Every night is sound, is done for whoever runs it again at once, and says the independent count. */
async function judge(chain: Chain, steps: readonly Step[]): Promise<void> {
  const sum = { added: 0, removed: 0, changed: 0 };
  for (const [i, truth] of steps.entries()) {
    const as_of = truth.file.slice(0, 10);
    const recheck = ["recheck", `library-bills-${as_of}`];
    const sound = await tieout(recheck, chain.cwd, chain.env);
    expect(sound).toMatchObject({ exit: 0, out: expect.stringContaining("is sound") });
    const again = await tieout([...asked(as_of), "--json"], chain.cwd, chain.env);
    expect({ as_of, exit: again.exit }).toEqual({ as_of, exit: 0 });
    const figures: Figure[] = JSON.parse(again.out).figures;
    const told = (name: string) => Number(figures.find((f) => f.name === name)?.value);
    expect(told("rows_now"), as_of).toBe(truth.rows);
    if (i === 0) continue;
    for (const kind of ["added", "removed", "changed"] as const) {
      expect(told(kind), `${as_of} ${kind}`).toBe(truth[kind]);
      sum[kind] += told(kind);
    }
  }
  expect(sum).toEqual({ added: 1_966, removed: 3_147, changed: 1_718 });
}

interface Figure {
  readonly name: string;
  readonly value: string;
}

/** No commit was ever made twice, written over or removed. */
async function oneCommitEach({ bucket, endpoint }: S3Options, nights: number): Promise<void> {
  const client = clientOn(endpoint ?? "");
  const seen = new Map<string, number>();
  let KeyMarker: string | undefined;
  let VersionIdMarker: string | undefined;
  do {
    const ask = new sdk.ListObjectVersionsCommand({ Bucket: bucket, KeyMarker, VersionIdMarker });
    const page = await client.send(ask);
    for (const { Key = "" } of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])])
      if (Key.endsWith("/committed.json")) seen.set(Key, (seen.get(Key) ?? 0) + 1);
    KeyMarker = page.NextKeyMarker;
    VersionIdMarker = page.NextVersionIdMarker;
  } while (KeyMarker !== undefined && KeyMarker !== "");
  expect(seen.size).toBe(nights);
  expect([...seen].filter(([, versions]) => versions > 1)).toEqual([]);
}
