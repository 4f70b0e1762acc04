import { Act } from "../../src/model/act.js";
import { sha256Of } from "../../src/model/canonical.js";
import type { InvariantId } from "../../src/model/invariants.js";
import { type Figure, Manifest } from "../../src/model/manifest.js";
import { Commit, Receipts, type StoredDoc } from "../../src/model/records.js";
import type { Example } from "./example.js";

/**
 * What an auditor can check with files and sha256 alone, from the run folder (`runs/`) or the store
 * (`store/`) as plain trees. It shares no code with what makes or rechecks a run.
 */
export function folderBreaks(example: Example): InvariantId[] {
  return manifestsIn(example, "runs/").flatMap(({ folder, manifest }) => [
    ...filesBreak(example, folder, listed(manifest)),
    ...countsBreak(manifest),
    ...retentionBreak(manifest),
    ...figuresBreak(example, folder, manifest),
  ]);
}

export function storeBreaks(example: Example): InvariantId[] {
  return [...example]
    .filter(([name]) => /^store\/[^/]+\/[^/]+\/committed\.json$/.test(name))
    .flatMap(([, text]) => committedBreaks(example, Commit.parse(JSON.parse(text))));
}

interface Listed {
  readonly path: string;
  readonly sha256: string;
  readonly size_bytes: number;
}

function manifestsIn(example: Example, root: string): { folder: string; manifest: Manifest }[] {
  return [...example]
    .filter(([name]) => name.startsWith(root) && /\/a\d+\/manifest\.json$/.test(name))
    .map(([name, text]) => ({
      folder: name.slice(0, -"manifest.json".length),
      manifest: Manifest.parse(JSON.parse(text)),
    }));
}

function listed({ artefacts, records }: Manifest): Listed[] {
  return [...artefacts, ...artefacts.flatMap((a) => (a.twin ? [a.twin] : [])), ...records];
}

/** Absent: the manifest came too early. Short: the name came too early. Other bytes: it changed. */
function filesBreak(example: Example, folder: string, files: readonly Listed[]): InvariantId[] {
  return files.flatMap((file): InvariantId[] => {
    const text = example.get(folder + file.path);
    if (text === undefined) return ["I004"];
    if (Buffer.byteLength(text) < file.size_bytes) return ["I002"];
    return sha256Of(text) === file.sha256 ? [] : ["I003"];
  });
}

function countsBreak(manifest: Manifest): InvariantId[] {
  const add = manifest.inputs.every((i) => i.records === i.rows + i.rejected + i.skipped);
  return add ? [] : ["I007"];
}

/** Kept at least as many days as the manifest says, counted from its own end. */
function retentionBreak(manifest: Manifest): InvariantId[] {
  const days = (a: Manifest["artefacts"][number]) =>
    (Date.parse(a.retain_until) - Date.parse(manifest.finished_at)) / 86_400_000;
  return manifest.artefacts.every((a) => days(a) >= a.retain_days) ? [] : ["I014"];
}

/** Figures of artefacts that are still what was sealed; of others nothing can be said. */
function figuresBreak(example: Example, folder: string, run: Manifest): InvariantId[] {
  const same = run.figures.every((figure) => {
    const csv = example.get(folder + figure.artefact) ?? "";
    const sealed = run.artefacts.some(
      (a) => a.path === figure.artefact && a.sha256 === sha256Of(csv),
    );
    return !sealed || recomputed(csv, figure) === figure.value;
  });
  return same ? [] : ["I012"];
}

/** Counts and exact sums over a plain CSV without quoted fields. */
function recomputed(csv: string, { aggregate, column }: Figure): string {
  const [header = "", ...rows] = csv.trimEnd().split("\n");
  if (aggregate === "count") return String(rows.length);
  const at = header.split(",").indexOf(column ?? "");
  const cells = rows.map((row) => row.split(",")[at] ?? "");
  const scale = Math.max(0, ...cells.map((cell) => cell.split(".")[1]?.length ?? 0));
  const sum = cells.reduce((total, cell) => total + BigInt(cell.replace(".", "")), 0n);
  return placed(sum, scale);
}

function placed(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const text = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}

function committedBreaks(example: Example, commit: Commit): InvariantId[] {
  const [manifest, receipts] = [commit.manifest, commit.receipts].map((doc) =>
    bytesOf(example, doc),
  );
  if (manifest === undefined || receipts === undefined) return ["I004"];
  if (sha256Of(manifest) !== commit.manifest.sha256) return ["I003"];
  const run = Manifest.parse(JSON.parse(manifest));
  const kept = Receipts.parse(JSON.parse(receipts)).receipts;
  if (run.attempt !== commit.attempt || run.run_id !== commit.run_id) return ["I015"];
  return [
    ...filesBreak(example, folderOf(commit.manifest), listed(run)),
    ...receiptsBreak(listed(run), kept),
    ...previousBreak(example, run),
    ...ledgerBreak(example, commit),
  ];
}

/** Acts are numbered from 1 without a gap, and each names the bytes before it, the first the manifest's. */
function ledgerBreak(example: Example, commit: Commit): InvariantId[] {
  const entry = /\/ledger\/(\d+)\.json$/;
  const folder = `store/${commit.manifest.key.split("/").slice(0, 2).join("/")}/ledger/`;
  const names = [...example.keys()].filter((name) => name.startsWith(folder)).sort();
  let before: string = commit.manifest.sha256;
  for (const [i, name] of names.entries()) {
    const text = example.get(name) ?? "";
    const { seq, prev } = Act.parse(JSON.parse(text));
    const inPlace = seq === i + 1 && Number(entry.exec(name)?.[1]) === seq;
    if (!inPlace || prev !== before) return ["I017"];
    before = sha256Of(text);
  }
  return [];
}

function bytesOf(example: Example, { key }: StoredDoc): string | undefined {
  return example.get(`store/${key}`);
}

function folderOf({ key }: StoredDoc): string {
  return `store/${key.slice(0, key.lastIndexOf("/") + 1)}`;
}

type Receipt = Receipts["receipts"][number];

/** Done is what the manifest lists and the store has acknowledged, byte for byte. */
function receiptsBreak(files: readonly Listed[], kept: readonly Receipt[]): InvariantId[] {
  const same = (f: Listed) => kept.some((r) => r.path === f.path && r.sha256 === f.sha256);
  return files.every(same) ? [] : ["I005"];
}

/** An earlier file is the one that the earlier run's own commit leads to. */
function previousBreak(example: Example, run: Manifest): InvariantId[] {
  return run.previous.flatMap(({ run_id, path, key, version, sha256 }): InvariantId[] => {
    if (run_id === null) return [];
    const commit = example.get(`store/${run.job}/${run_id}/committed.json`);
    if (commit === undefined) return ["I011"];
    const text = bytesOf(example, Commit.parse(JSON.parse(commit)).receipts) ?? "null";
    const led = Receipts.parse(JSON.parse(text)).receipts.find((r) => r.path === path);
    return led?.key === key && led?.version === version && led?.sha256 === sha256 ? [] : ["I011"];
  });
}
