import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ArtefactName,
  JobName,
  type Path,
  type RelationName,
  RunId,
  Sha256,
} from "../../src/model/ids.js";
import {
  type AttemptLayout,
  attemptLayout,
  attemptOf,
  beatOf,
  cached,
  cacheFolder,
  committedRun,
  inputKey,
  jobKeys,
  keyOf,
  relativeTo,
  runFolder,
  runKeys,
} from "../../src/model/layout.js";
import { artefactNames, relationNames, runIds } from "./arbitraries.js";

const ROOT = "/data/runs" as Path;
const RUN = RunId.parse("refunds-2026-08-10");
const attempts = fc.integer({ min: 1, max: 500 });
const digests = fc.stringMatching(/^[0-9a-f]{64}$/).map((s) => Sha256.parse(s));

interface Names {
  readonly relation: RelationName;
  readonly file: ArtefactName;
  readonly n: number;
}
const names: fc.Arbitrary<Names> = fc.record({
  relation: relationNames,
  file: artefactNames,
  n: fc.integer({ min: 0, max: 40 }),
});

/** What a layout gives for some declared names: each path by what it is the path of. */
function filesOf(l: AttemptLayout, { relation, file, n }: Names): Map<string, Path> {
  return new Map<string, Path>([
    ["journal", l.journal],
    ["manifest", l.manifest],
    ["sums", l.sums],
    ["summary", l.summary],
    ["failure", l.failure],
    ["temp", l.temp],
    [`pinned ${relation} ${n}`, l.pinned(relation, n)],
    [`typed ${relation} ${n}`, l.typed(relation, n)],
    [`draft of rejects ${relation}`, l.rejectsDraft(relation)],
    [`rejects ${relation}`, l.rejects(relation)],
    [`previous ${relation} ${file}`, l.previous(relation, file)],
    [`draft ${relation} ${file} ${n}`, l.draft(relation, file, n + 1)],
    [`scratch ${file}`, l.scratch(file)],
    [`artefact ${file}`, l.artefact(file)],
    [`twin ${file}`, l.twin(file)],
    ["job", l.record("job.json")],
    ["sealed journal", l.record("journal.jsonl")],
    [`sql ${relation}`, l.record(`sql/${relation}.sql`)],
    [`check ${relation}`, l.record(`checks/${relation}.sql`)],
    [`failed rows ${relation}`, l.failedRows(relation)],
  ]);
}

function pathsOf(l: AttemptLayout, declared: Names): Path[] {
  return [...filesOf(l, declared).values()];
}

describe("an attempt's paths (I001)", () => {
  test("every path lies in the attempt's folder, in a folder that claim makes", () => {
    fc.assert(
      fc.property(runIds, attempts, names, (run, attempt, declared) => {
        const l = attemptLayout(ROOT, run, attempt, [declared.relation]);
        for (const path of pathsOf(l, declared)) {
          expect(path.startsWith(`${ROOT}/${run}/a${attempt}/`)).toBe(true);
          expect(path.split("/")).not.toContain("..");
          expect(l.folders).toContain(path.slice(0, path.lastIndexOf("/")));
        }
      }),
    );
  });

  test("two things of an attempt never share a path", () => {
    fc.assert(
      fc.property(runIds, names, names, (run, a, b) => {
        const l = attemptLayout(ROOT, run, 1);
        const things = new Map([...filesOf(l, a), ...filesOf(l, b)]);
        expect(new Set(things.values()).size).toBe(things.size);
      }),
    );
  });

  test("two attempts, and two runs, never share a path", () => {
    fc.assert(
      fc.property(runIds, runIds, attempts, attempts, names, (r, s, m, n, declared) => {
        fc.pre(r !== s || m !== n);
        const [a, b] = [attemptLayout(ROOT, r, m), attemptLayout(ROOT, s, n)];
        const taken = new Set(pathsOf(a, declared));
        expect(pathsOf(b, declared).some((path) => taken.has(path))).toBe(false);
      }),
    );
  });

  test("a path's name within the attempt gives the path again", () => {
    fc.assert(
      fc.property(runIds, attempts, names, (run, attempt, declared) => {
        const l = attemptLayout(ROOT, run, attempt);
        for (const path of pathsOf(l, declared)) expect(l.at(relativeTo(l, path))).toBe(path);
      }),
    );
  });

  test("a path of another attempt has no name in this one", () => {
    const [a, b] = [attemptLayout(ROOT, RUN, 1), attemptLayout(ROOT, RUN, 11)];
    expect(() => relativeTo(a, b.manifest)).toThrow("not a file of this attempt");
    expect(() => relativeTo(a, a.dir)).toThrow("not a file of this attempt");
  });

  test("folders come parents first, each once, from the root down", () => {
    const { folders } = attemptLayout(ROOT, RUN, 3);
    expect(folders[0]).toBe(ROOT);
    expect(new Set(folders).size).toBe(folders.length);
    for (const [i, dir] of folders.entries())
      if (i > 0) expect(folders.slice(0, i)).toContain(dir.slice(0, dir.lastIndexOf("/")));
  });

  test("an attempt's folder name gives its number, other names give none", () => {
    for (const n of [1, 2, 10, 99, 1234]) expect(attemptOf(`a${n}`)).toBe(n);
    for (const other of ["a0", "a01", "a", "b1", "a1.gone", "xa1", ".cache"])
      expect(attemptOf(other)).toBeNull();
  });

  test("the read cache lies beside the runs and is named by content", () => {
    fc.assert(
      fc.property(digests, runIds, (sha256, run) => {
        expect(cached(ROOT, sha256)).toBe(`${cacheFolder(ROOT)}/${sha256}`);
        expect(cacheFolder(ROOT).startsWith(runFolder(ROOT, run))).toBe(false);
      }),
    );
  });
});

describe("a run's keys", () => {
  test("every key lies below its job and its run, and is a key", () => {
    fc.assert(
      fc.property(runIds, attempts, fc.integer({ min: 1, max: 9_999_999 }), (run, attempt, n) => {
        const k = runKeys(run);
        const keys = [
          k.committed,
          k.claim(attempt, n),
          k.attempt(attempt, "records/journal.jsonl"),
          k.manifest(attempt),
          k.receipts(attempt),
          k.act(n),
          k.failed(attempt, "failure.json"),
        ];
        expect(new Set(keys).size).toBe(keys.length);
        for (const key of keys) {
          expect(key.startsWith(k.run)).toBe(true);
          expect(keyOf(key)).toBe(key);
        }
      }),
    );
  });

  test("the key of a claim gives its attempt and beat, in the order that a listing sorts", () => {
    fc.assert(
      fc.property(runIds, attempts, fc.integer({ min: 1, max: 999_999 }), (run, attempt, beat) => {
        expect(beatOf(runKeys(run).claim(attempt, beat))).toEqual({ attempt, beat });
      }),
    );
    const [nine, ten] = [runKeys(RUN).claim(1, 9), runKeys(RUN).claim(1, 10)];
    expect(nine < ten).toBe(true);
    expect(beatOf(runKeys(RUN).committed)).toBeNull();
  });

  test("only a commit's key names a committed run", () => {
    fc.assert(
      fc.property(runIds, attempts, (run, attempt) => {
        expect(committedRun(runKeys(run).committed)).toBe(run);
        expect(committedRun(runKeys(run).manifest(attempt))).toBeNull();
        expect(committedRun(runKeys(run).attempt(attempt, "committed.json"))).toBeNull();
      }),
    );
  });

  test("a job's prefix holds its own runs and no other job's", () => {
    const [job, longer] = [JobName.parse("refunds"), JobName.parse("refunds-eu")];
    expect(runKeys(RUN).run.startsWith(jobKeys(job))).toBe(true);
    expect(runKeys(RUN).run.startsWith(jobKeys(longer))).toBe(false);
    expect(jobKeys(longer).startsWith(jobKeys(job))).toBe(false);
  });

  test("a pinned input is kept under its content alone", () => {
    const sha256 = Sha256.parse("ab".repeat(32));
    expect(inputKey(sha256)).toBe(`inputs/${sha256}`);
  });

  test.each(["", "/etc/passwd", "a/../b", "..", "a b", "a\n", "-x", "a/é"])(
    "%j is no key",
    (text) => {
      expect(() => keyOf(text)).toThrow("not a key");
    },
  );
});
