import type { Probe } from "../model/capabilities.js";
import type { S3Options } from "./s3.js";
import { answerOf } from "./s3-errors.js";
import { namesBelow } from "./s3-list.js";
import { accessProbes } from "./s3-probe-access.js";
import { createProbes } from "./s3-probe-create.js";
import { lockProbes } from "./s3-probe-lock.js";
import { type Question, roomOf, sweep } from "./s3-probe-room.js";
import { stateOf, versionProbes } from "./s3-probe-versions.js";

/**
 * Puts every question of the doctor to a bucket, in names of its own below the prefix, and takes
 * away again what it made there. Takes some seconds where there are locks, since it waits for them
 * to end.
 * @throws STORE, UNKNOWN when a bucket cannot be listed at all
 * @param control where claims and commits go, when that is another place
 */
export async function probeS3(main: S3Options, control: S3Options | null): Promise<Probe[]> {
  const room = roomOf(main);
  const board = control === null ? room : roomOf(control);
  for (const { bucket, at } of new Set([room, board])) await namesBelow(bucket, at);
  try {
    const state = await stateOf(room);
    const questions: Question[] = [
      ...createProbes(board),
      ...versionProbes(room, state),
      ...accessProbes(room, main),
      ...lockProbes(room, state, main.lock),
    ];
    const probes: Probe[] = [];
    for (const question of questions) probes.push(await asked(question));
    return [...state.told, ...probes];
  } finally {
    await sweep(room);
    if (board !== room) await sweep(board);
  }
}

/** A question that fails says with which answer; nothing of it ends the others. */
async function asked({ run, ...question }: Question): Promise<Probe> {
  try {
    return { ...question, ...(await run()) };
  } catch (e) {
    const { status, code } = answerOf(e);
    const said = status === null ? code || "no answer" : `${status} ${code}`;
    return { ...question, found: said, holds: false };
  }
}
