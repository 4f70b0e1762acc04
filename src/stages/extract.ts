import type { Effects } from "../effects.js";
import { documentText, textBody } from "../model/canonical.js";
import { TieoutError } from "../model/errors.js";
import type { Key } from "../model/ids.js";
import { inputKey, keyOf, runKeys } from "../model/layout.js";
import { type Commit, ExtractRecord, type Receipts, type SealedFile } from "../model/records.js";
import type { Closed } from "../model/run.js";
import { readCommitted } from "../queries/committed.js";
import type { Stored, Tags } from "../stores/store.js";
import { mapBounded } from "./bounded.js";
import { createKnowing, keep } from "./keep.js";
import { isOutnumbered } from "./lease.js";
import type { Stage } from "./stage.js";

/**
 * Everything that is kept goes to the store, then receipts, the manifest, and last the commit: one
 * conditional create that at most one attempt of a run id ever wins (I004, I005, I015).
 * @throws LOST_RACE when another attempt is ahead or has committed; UNKNOWN when nobody can say
 */
export const extract: Stage<"closed", ExtractRecord, "committed"> = {
  name: "extract",
  record: ExtractRecord,

  async run(from, fx) {
    const keys = runKeys(from.run_id);
    const { receipts, sent } = await keepAll(from, fx);
    const listed = {
      schema: "tieout/receipts/1",
      run_id: from.run_id,
      attempt: from.attempt,
      receipts,
    } satisfies Receipts;
    const document = await keep(
      keys.receipts(from.attempt),
      textBody(documentText(listed)),
      tagsOf(from, "receipts"),
      fx,
    );
    const body = fx.folder.body(from.layout.manifest, from.manifest_file);
    const manifest = await keep(keys.manifest(from.attempt), body, tagsOf(from, "manifest"), fx);
    await assertKept([...sent, document, manifest], fx);
    const commit = {
      schema: "tieout/commit/1",
      run_id: from.run_id,
      attempt: from.attempt,
      manifest,
      receipts: document,
    } satisfies Commit;
    if (await isOutnumbered(from.run_id, from.attempt, fx))
      throw lostRace(from, "a later attempt has claimed the run");
    const made = await createKnowing(
      keys.committed,
      textBody(documentText(commit)),
      tagsOf(from, "commit"),
      fx,
    );
    if (!made.mine) throw lostRace(from, "another attempt has committed the run");
    return { commit: { ...made.stored } };
  },

  async prove(from, _record, fx) {
    const run = await readCommitted(from.run_id, fx);
    if (run === null || run.commit.attempt !== from.attempt)
      throw lostRace(from, "the store has not committed this attempt");
    return run;
  },

  journal: (from) => from.layout.journal,
};

/** One thing to keep: where, under which name of the manifest, and what is known of its bytes. */
interface Parcel extends SealedFile {
  readonly key: Key;
  readonly tags: Tags;
  /** Another run may have kept it before, and its time there may be over. */
  readonly shared?: boolean;
}

/** No purge takes a shared input between being found here and the commit that refers to it. */
const UNTIL_COMMIT_MS = 24 * 3_600_000;

/**
 * What of a closed attempt is kept, as values: inputs by content, the rest below the attempt's
 * prefix.
 */
function parcels(from: Closed): Parcel[] {
  const keys = runKeys(from.run_id);
  const inputs = from.inputs
    .filter((i) => i.keep === "file")
    .flatMap((i) =>
      i.files.map((f) => ({
        ...f,
        key: inputKey(f.sha256),
        shared: true,
        tags: { ...tagsOf(from, "input"), rows: String(i.rows) },
      })),
    );
  const at = (f: SealedFile) => keys.attempt(from.attempt, f.path);
  const artefacts = from.manifest.artefacts.flatMap((a) => {
    const tags = { ...tagsOf(from, "artefact"), step: a.relation, rows: String(a.rows) };
    return [
      { ...a, key: at(a), tags },
      ...(a.twin ? [{ ...a.twin, key: at(a.twin), tags: { ...tags, kind: "twin" } }] : []),
    ];
  });
  const records = from.manifest.records.map((r) => ({
    ...r,
    key: at(r),
    tags: tagsOf(from, "record"),
  }));
  return [...inputs, ...artefacts, ...records];
}

/**
 * Parcels under way at once. A store far away answers one upload after the other in its own time,
 * most of it waiting, and most parcels are small; more would only share one line and one disk, and
 * requests that queue are refused for their age.
 */
const AT_ONCE = 4;

async function keepAll(
  from: Closed,
  fx: Effects,
): Promise<{ receipts: Receipts["receipts"]; sent: Stored[] }> {
  const all = parcels(from);
  const of_bytes = all.reduce((sum, p) => sum + p.size_bytes, 0);
  const until = new Date((await fx.store.now()) + UNTIL_COMMIT_MS).toISOString();
  const under_way = new Set<Parcel>();
  let [done, size_bytes] = [0, 0];
  const tell = (parcel: Parcel): void =>
    fx.progress.stage("extract", parcel.path, done, all.length, { size_bytes, of_bytes });
  const sent = await mapBounded(all, AT_ONCE, async (parcel) => {
    under_way.add(parcel);
    tell(parcel);
    const body = fx.folder.body(from.layout.at(parcel.path), parcel);
    const stored = await keep(parcel.key, body, { ...parcel.tags, sha256: parcel.sha256 }, fx);
    if (parcel.shared) await fx.store.retain(stored, until);
    under_way.delete(parcel);
    done += 1;
    size_bytes += parcel.size_bytes;
    const [oldest] = under_way;
    if (oldest !== undefined) tell(oldest);
    return { path: parcel.path, stored };
  });
  fx.log.info("kept", { files: all.length, size_bytes });
  return {
    receipts: sent.map(({ path, stored }) => ({ path, ...stored })),
    sent: sent.map(({ stored }) => stored),
  };
}

/**
 * Read back before the commit: what the commit will name is there, by version, with its hash
 * (I005).
 */
async function assertKept(sent: readonly Stored[], fx: Pick<Effects, "store">): Promise<void> {
  await mapBounded(sent, AT_ONCE, async ({ key, version, sha256 }) => {
    const now = await fx.store.head(keyOf(key), version);
    if (now?.sha256 === sha256) return;
    throw new TieoutError("STORE", {
      subject: key,
      cause: "the store no longer has what it accepted a moment ago",
      remedy: "check the store's disk or lifecycle rules, then run the id again",
    });
  });
}

function tagsOf(from: Closed, kind: string): Tags {
  return { owner: from.job.owner, job: from.job.job, run_id: from.run_id, kind };
}

function lostRace(from: Closed, cause: string): TieoutError {
  return new TieoutError("LOST_RACE", {
    subject: from.run_id,
    cause: `${cause}; attempt ${from.attempt} changes nothing`,
    remedy: "run the id again to see what is committed",
    at: { attempt: from.attempt },
  });
}
