import { expect, test } from "vitest";
import { runId } from "../../src/model/ids.js";
import { lastClaim } from "../../src/queries/claims.js";
import { holdLease, isOutnumbered, takeLease } from "../../src/stages/lease.js";
import { TTL_MS } from "../faults/process.js";
import { diceOf, interleaved } from "../faults/turns.js";
import { type Lab, openLab } from "./lab.js";

const RUN = runId(
  "cards" as Parameters<typeof runId>[0],
  "2026-08-10" as Parameters<typeof runId>[1],
  1,
);
const claimer = (lab: Lab, owner: string, before?: () => Promise<void>) =>
  lab.start("first", { owner, ...(before ? { before } : {}) }).fx;

test("of two who race for a run one has it, whatever their order", async () => {
  for (let seed = 0; seed < 100; seed++) {
    const lab = await openLab();
    const racer = (owner: string) => (turn: () => Promise<void>) =>
      takeLease(RUN, 0, claimer(lab, owner, turn)).then(
        (claim) => claim.owner,
        (e: { code: string }) => e.code,
      );
    const ends = await interleaved([racer("one"), racer("two")], diceOf(seed));
    expect(
      ends.filter((e) => e !== "CLAIMED_ELSEWHERE"),
      `seed ${seed}`,
    ).toHaveLength(1);
    expect((await lastClaim(RUN, claimer(lab, "three")))?.attempt).toBe(1);
  }
});

test("a claim holds until it runs out, to the millisecond, and a beat prolongs it", async () => {
  const lab = await openLab();
  const claim = await takeLease(RUN, 0, claimer(lab, "one"));
  const lease = holdLease(claim, claimer(lab, "one"));
  await lease.beat();
  expect(lease.claim().beat).toBe(1);
  const other = claimer(lab, "two");
  const still = {
    ...other,
    clock: { ...other.clock, now: () => Date.parse(lease.claim().until) - 1 },
  };
  await expect(takeLease(RUN, 0, still)).rejects.toMatchObject({ code: "CLAIMED_ELSEWHERE" });
  const past = { ...other, clock: { ...other.clock, now: () => Date.parse(lease.claim().until) } };
  expect((await takeLease(RUN, 0, past)).attempt).toBe(2);
  expect(Date.parse(claim.until) - Date.parse(claim.at)).toBe(TTL_MS);
});

test("a released claim may be passed at once, and no later beat brings it back", async () => {
  const lab = await openLab();
  const lease = holdLease(await takeLease(RUN, 0, claimer(lab, "one")), claimer(lab, "one"));
  await Promise.all([lease.beat(), lease.release(), lease.beat()]);
  expect(lease.lost()).toBe(true);
  expect((await takeLease(RUN, 0, claimer(lab, "two"))).attempt).toBe(2);
});

test("who is outnumbered learns it from its next beat and prolongs nothing", async () => {
  const lab = await openLab();
  const lease = holdLease(await takeLease(RUN, 0, claimer(lab, "one")), claimer(lab, "one"));
  lab.expire();
  await takeLease(RUN, 0, claimer(lab, "two"));
  expect(await isOutnumbered(RUN, 1, claimer(lab, "one"))).toBe(true);
  await lease.beat();
  expect(lease.lost()).toBe(true);
  expect(lease.claim().beat).toBe(0);
});

test("an attempt's number is above every folder on this disk, even where the store knows of none", async () => {
  const lab = await openLab();
  expect((await takeLease(RUN, 6, claimer(lab, "one"))).attempt).toBe(7);
});

test("a claim whose answer was lost is told from another's by its owner", async () => {
  const lab = await openLab();
  const lost = (owner: string) =>
    lab.start("first", {
      owner,
      trouble: { plan: { mode: "after", at: 2, times: "once" }, hits: "store" },
    }).fx;
  expect((await takeLease(RUN, 0, lost("one"))).owner).toBe("one");
});
