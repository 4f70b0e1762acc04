import type { ZodType } from "zod";
import { sha256Of } from "../../src/model/canonical.js";
import { isTieout } from "../../src/model/errors.js";
import { Killed } from "../../src/model/fault.js";
import type { RunId, Sha256 } from "../../src/model/ids.js";
import { readJournal } from "../../src/model/journal.js";
import { Manifest } from "../../src/model/manifest.js";
import { Commit, Receipts } from "../../src/model/records.js";
import type { Told } from "./process.js";
import type { Look, World } from "./world.js";

/** What a clean run of the same inputs leaves, by path within the attempt: whole files and no others. */
export type Clean = ReadonlyMap<string, Sha256>;

/** What is otherwise at work in a cell, so that a true word is not taken for a false one. */
export interface Circumstances {
  /** Another process may hold the run. */
  readonly rivals?: boolean;
  /** Another process may commit the run while one that lost it is still ending. */
  readonly passing?: boolean;
  /** An object or a sealed file was damaged or lost by the cell. */
  readonly damaged?: boolean;
  /** The store damages objects in silence: it goes on naming the hash that it was given. */
  readonly silent?: boolean;
  /** Runs with other inputs than the clean one's are about. */
  readonly others?: boolean;
}

/**
 * Watches a world through a cell. Each look states, by the number of the invariant, what is not so,
 * from the bytes on the disk and in the store alone; it shares no code with what it watches.
 */
export interface Watch {
  /** Looks now. @param told what a walk has just said, if that is why we look */
  readonly look: (told?: Told) => Promise<Look>;
  /** All that was found so far. */
  readonly breaks: () => readonly string[];
}

export function watch(world: World, run: RunId, clean: Clean, at: Circumstances = {}): Watch {
  const found: string[] = [];
  const commits = new Map<string, string>();
  const objects = new Map<string, string>();
  const job = run.replace(/-\d{4}-\d\d-\d\d(-r\d+)?$/, "");
  return {
    breaks: () => found,
    look: async (told) => {
      const look = await world.look();
      found.push(
        ...storeBreaks(look, objects, commits, at),
        ...diskBreaks(look, clean, at),
        ...[...look.store.keys()]
          .filter((k) => /\/committed\.json$/.test(k))
          .flatMap((key) => (at.damaged ? [] : keptBreaks(look, key))),
        ...removalBreaks(look, run, job),
        ...(told === undefined ? [] : toldBreaks(told, look, `${job}/${run}/committed.json`, at)),
      );
      return look;
    },
  };
}

/** The keys of a commit's objects that are not there as the commit and its documents say. */
export function keptBreaks(look: Look, key: string): string[] {
  const commit = documentIn(Commit, look, key);
  if (commit === null) return [`I005 ${key} is damaged`];
  const documents = [commit.manifest, commit.receipts];
  const lost = documents.filter((d) => !holds(look, d));
  if (lost.length > 0) return lost.map((d) => `I005 ${d.key} is not as the commit says`);
  const manifest = Manifest.parse(JSON.parse(text(look.store.get(commit.manifest.key))));
  const { receipts } = Receipts.parse(JSON.parse(text(look.store.get(commit.receipts.key))));
  const inputs = manifest.inputs.flatMap((i) => i.files.map((f) => f.sha256));
  return [
    ...receipts.filter((r) => !holds(look, r)).map((r) => `I005 ${r.key} is not as its receipt`),
    ...listed(manifest)
      .filter((f) => !receipts.some((r) => r.path === f.path && r.sha256 === f.sha256))
      .map((f) => `I005 ${f.path} is listed without a receipt`),
    ...inputs
      .filter((sha) => !receipts.some((r) => r.sha256 === sha))
      .map((s) => `I005 input ${s}`),
    ...(manifest.attempt === commit.attempt ? [] : ["I015 the commit is of another attempt"]),
    ...manifest.inputs
      .filter((i) => i.records !== i.rows + i.rejected + i.skipped)
      .map((i) => `I007 ${i.name}: its counts do not add up`),
  ];
}

/** The artefacts' hashes that a committed run lists; null when it is not committed, or damaged. */
export function artefactsOf(look: Look, run: RunId): Map<string, string> | null {
  const key = [...look.store.keys()].find((k) => k.endsWith(`/${run}/committed.json`));
  if (key === undefined) return null;
  if (keptBreaks(look, key).length > 0) return null;
  const commit = Commit.parse(JSON.parse(text(look.store.get(key))));
  const manifest = Manifest.parse(JSON.parse(text(look.store.get(commit.manifest.key))));
  return new Map(manifest.artefacts.map((a) => [a.path, a.sha256]));
}

function storeBreaks(
  look: Look,
  objects: Map<string, string>,
  commits: Map<string, string>,
  at: Circumstances,
): string[] {
  const breaks: string[] = [];
  for (const [key, bytes] of look.store) {
    const sha = sha256Of(bytes);
    const before = objects.get(key);
    objects.set(key, sha);
    if (!at.damaged && before !== undefined && before !== sha) breaks.push(`I003 ${key} changed`);
    if (/^inputs\//.test(key) && key !== `inputs/${sha}` && !at.damaged)
      breaks.push(`I002 ${key} has other bytes than its name`);
    if (/\/committed\.json$/.test(key)) {
      if (commits.has(key) && commits.get(key) !== sha) breaks.push(`I015 ${key} changed`);
      commits.set(key, sha);
    }
    if (/\/manifest\.json$/.test(key) && !at.damaged) breaks.push(...storedManifest(look, key));
    if (/journal\.jsonl$/.test(key) && !at.damaged) breaks.push(...journalBreaks(key, bytes, true));
  }
  if (!at.damaged)
    for (const key of objects.keys()) if (!look.store.has(key)) breaks.push(`I005 ${key} is gone`);
  return breaks;
}

function storedManifest(look: Look, key: string): string[] {
  const manifest = Manifest.parse(JSON.parse(text(look.store.get(key))));
  const folder = key.slice(0, -"manifest.json".length);
  const files = listed(manifest).filter((f) => !is(look.store.get(folder + f.path), f.sha256));
  const inputs = manifest.inputs
    .flatMap((i) => i.files)
    .filter((f) => !is(look.store.get(`inputs/${f.sha256}`), f.sha256));
  return [...files.map((f) => f.path), ...inputs.map((f) => f.source)].map(
    (name) => `I004 ${key} lists ${name}, which is not there`,
  );
}

/** Paths whose bytes are not a function of the inputs alone, or that are not final names. */
const LOOSE = /^(work|temp)\/|^in\/.*\.parquet$|journal\.jsonl$|\.json$|^SHA256SUMS$|^summary\.md$/;

function diskBreaks(look: Look, clean: Clean, at: Circumstances): string[] {
  const breaks: string[] = [];
  for (const [name, bytes] of look.disk) {
    const [, run = "", attempt = "", path = ""] = /^([^/]+)\/(a\d+)\/(.+)$/.exec(name) ?? [];
    if (bytes === null || path === "" || at.damaged) continue;
    if (path === "journal.jsonl") breaks.push(...journalBreaks(name, bytes, false));
    if (path === "manifest.json") breaks.push(...localManifest(look, `${run}/${attempt}/`));
    if (/\.json$/.test(path)) breaks.push(...documentBreaks(name, bytes));
    if (LOOSE.test(path) || at.others) continue;
    const meant = clean.get(path);
    if (meant === undefined) breaks.push(`I001 ${name} is no file of a clean run`);
    else if (!is(bytes, meant)) breaks.push(`I002 ${name} is not whole`);
  }
  return breaks;
}

function localManifest(look: Look, folder: string): string[] {
  const manifest = Manifest.parse(JSON.parse(text(look.disk.get(`${folder}manifest.json`))));
  return listed(manifest)
    .filter((f) => !is(look.disk.get(folder + f.path), f.sha256))
    .map((f) => `I004 ${folder}manifest.json lists ${f.path}, which is not there`);
}

function documentBreaks(name: string, bytes: Uint8Array): string[] {
  try {
    JSON.parse(text(bytes));
    return [];
  } catch {
    return [`I002 ${name} is half a document`];
  }
}

function journalBreaks(name: string, bytes: Uint8Array, sealed: boolean): string[] {
  const { damage, torn } = readJournal(text(bytes));
  if (damage !== null) return [`I017 ${name}:${damage.line} ${damage.cause}`];
  return sealed && torn && !name.includes("/failed/") ? [`I017 ${name} is torn`] : [];
}

/** A run whose folder was there and is gone is committed; an attempt went only for another's commit. */
function removalBreaks(look: Look, run: RunId, job: string): string[] {
  const here = [...look.disk.keys()].some((name) => name.startsWith(`${run}/`));
  const worked = look.store.has(`${job}/${run}/a1/manifest.json`);
  const committed = look.store.has(`${job}/${run}/committed.json`);
  return worked && !here && !committed ? [`I013 ${run} was torn down before it was committed`] : [];
}

function toldBreaks(told: Told, look: Look, commit: string, at: Circumstances): string[] {
  const committed = look.store.has(commit);
  if ("outcome" in told) {
    const { exit, pending } = told.outcome;
    if (!committed) return ["told done of a run that is not committed"];
    if ((exit === 10 && pending !== null) || at.silent) return [];
    return keptBreaks(look, commit).map((b) => `told done: ${b}`);
  }
  const { error } = told;
  if (error instanceof Killed) return [];
  if (!isTieout(error)) return [`a bug: ${error instanceof Error ? error.stack : String(error)}`];
  const true_of_committed =
    error.code === "UNKNOWN" ||
    (error.code === "INPUTS_CHANGED" && at.others) ||
    (error.code === "CLAIMED_ELSEWHERE" && at.rivals) ||
    ((error.code === "LEASE_LOST" || error.code === "LOST_RACE") && at.passing) ||
    (error.code === "DAMAGED" && at.damaged);
  return committed && !true_of_committed
    ? [`told ${error.code} (${error.subject}: ${error.message}) of a committed run`]
    : [];
}

/** Null for bytes that are no such document any more. */
function documentIn<T>(schema: ZodType<T>, look: Look, key: string): T | null {
  try {
    return schema.parse(JSON.parse(text(look.store.get(key))));
  } catch {
    return null;
  }
}

function listed({ artefacts, records }: Manifest) {
  return [...artefacts, ...artefacts.flatMap((a) => (a.twin ? [a.twin] : [])), ...records];
}

function holds(look: Look, doc: { readonly key: string; readonly sha256: string }): boolean {
  return is(look.store.get(doc.key), doc.sha256);
}

function is(bytes: Uint8Array | null | undefined, sha256: string): boolean {
  return bytes !== null && bytes !== undefined && sha256Of(bytes) === sha256;
}

function text(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? new Uint8Array()).toString();
}
