import { afterEach, describe, expect, test } from "vitest";
import { diagnosis } from "../../src/model/capabilities.js";
import type { S3Options } from "../../src/stores/s3.js";
import { probeS3 } from "../../src/stores/s3-probe.js";
import type { Quirks } from "../double/bucket.js";
import { type Double, double } from "../double/server.js";
import { optionsFor, timing } from "./s3-bench.js";

let server: Double;
afterEach(() => server.close());

/** A clock that jumps over every pause, for server and doctor alike. */
function leaping() {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const after: typeof timing.after = (ms, f) => {
    if (ms < 8_000 || ms > 10_000) return timing.after(ms, f);
    ahead += ms;
    return timing.after(0, f);
  };
  return { ...timing, now, after };
}

async function doctor(
  kind: { versioned?: boolean; lock?: boolean },
  quirks: Quirks = {},
  control: Partial<S3Options> | null = null,
) {
  const clock = leaping();
  server = await double({ quirks, now: clock.now, page: 2 });
  const bucket = server.bucket("evidence", kind);
  const board = server.bucket("board", {});
  const main = { ...optionsFor(server, kind.lock ?? false), timing: clock };
  const probes = await probeS3(
    main,
    control === null ? null : { ...main, bucket: "board", lock: null, ...control },
  );
  const answer = diagnosis("s3", "", probes);
  const failed = probes.filter((p) => !p.holds).map((p) => p.probe);
  return { answer, failed, left: bucket.objects.size + board.objects.size };
}

const CREATES = ["a second conditional create", "a race of 8 conditional creates"];

describe("doctor", () => {
  test("finds nothing to say of a strict server, and leaves nothing there", async () => {
    for (const kind of [{}, { versioned: true }, { lock: true }]) {
      const { answer, failed, left } = await doctor(kind);
      expect({ kind, failed, fit: answer.fit }).toEqual({ kind, failed: [], fit: true });
      expect(left).toBe(0);
      await server.close();
    }
    server = await double();
  });

  test("refuses a bucket that lets two create one key, and says what to set", async () => {
    const { answer, failed } = await doctor({ versioned: true }, { lax_when_versioned: true });
    expect(failed.slice(0, 2)).toEqual(CREATES);
    expect(answer.fit).toBe(false);
    expect(answer.will.join()).toContain("store.s3.control.bucket");
  });

  test("is content with such a bucket when claims and commits go to one without versions", async () => {
    const { answer } = await doctor({ versioned: true }, { lax_when_versioned: true }, {});
    expect(answer).toMatchObject({ fit: true, will: ["keep runs here"] });
  });

  test("finds out a server that accepts locks and keeps none", async () => {
    const { answer, failed } = await doctor({ lock: true }, { lax_lock: true });
    expect(failed).toContain("a delete of what is locked");
    expect(failed).toContain("a longer lock, read back");
    expect(answer.fit).toBe(false);
  });

  test("does without the hash in an answer to HEAD", async () => {
    const { answer, failed } = await doctor({}, { no_checksum_in_head: true });
    expect(failed).toEqual(["SHA-256 in the answer to HEAD"]);
    expect(answer.fit).toBe(true);
  });
});
