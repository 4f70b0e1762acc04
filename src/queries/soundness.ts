import { readJournal } from "../model/journal.js";
import type { Manifest } from "../model/manifest.js";
import type { Breach } from "../model/report.js";
import type { Committed } from "../model/run.js";

const DAY_MS = 86_400_000;

/** What the documents of a run, taken together, break. Pure: bytes are somebody else's matter. */
export function breachesOfManifest(run: Committed): Breach[] {
  const { manifest } = run;
  return [
    ...listedAndKept(run),
    ...manifest.inputs.flatMap(inputConservation),
    ...manifest.artefacts.flatMap((a) => artefactClaims(a, manifest)),
    ...oneAttempt(run),
  ];
}

/** The journal's copy is whole and is the one whose head the manifest names (I017). */
export function breachesOfJournal(text: string, manifest: Manifest): Breach[] {
  const { damage, torn, head } = readJournal(text);
  const breach = (message: string): Breach[] => [
    { invariant: "I017", subject: "records/journal.jsonl", message },
  ];
  if (damage !== null) return breach(`line ${damage.line} ${damage.cause}`);
  if (torn) return breach("its last line is torn, and a sealed journal has none such");
  if (head !== manifest.journal_head) return breach("its head is not the one the manifest names");
  return [];
}

/**
 * Everything that the manifest lists has a receipt with the same hash, and nothing else has one.
 */
function listedAndKept(run: Committed): Breach[] {
  const listed = new Map<string, string>();
  for (const file of keptFiles(run.manifest)) listed.set(file.path, file.sha256);
  const receipts = new Map(run.receipts.receipts.map((r) => [r.path, r.sha256]));
  const inputs = new Set(
    run.manifest.inputs.flatMap((i) => (i.keep === "file" ? i.files.map((f) => f.sha256) : [])),
  );
  const missing = [...listed].flatMap(([path, sha256]): Breach[] => {
    const kept: string | undefined = receipts.get(path);
    if (kept === sha256) return [];
    const message =
      kept === undefined ? "listed, and no receipt names it" : "its receipt has another SHA-256";
    return [{ invariant: "I004", subject: path, message }];
  });
  const keptInputs = new Set(run.receipts.receipts.map((r): string => r.sha256));
  const lost = [...inputs].flatMap((sha256): Breach[] =>
    keptInputs.has(sha256)
      ? []
      : [
          {
            invariant: "I004",
            subject: `inputs/${sha256}`,
            message: "no receipt names this input",
          },
        ],
  );
  const extra = run.receipts.receipts.flatMap((r): Breach[] =>
    listed.has(r.path) || inputs.has(r.sha256)
      ? []
      : [
          {
            invariant: "I004",
            subject: r.path,
            message: "kept, and the manifest does not list it",
          },
        ],
  );
  return [...missing, ...lost, ...extra];
}

function keptFiles(manifest: Manifest): { path: string; sha256: string }[] {
  const twins = manifest.artefacts.flatMap((a) => (a.twin ? [a.twin] : []));
  return [...manifest.artefacts, ...twins, ...manifest.records];
}

function inputConservation(input: Manifest["inputs"][number]): Breach[] {
  const { name, rows, rejected, skipped, records } = input;
  if (rows + rejected + skipped === records) return [];
  const message =
    `${rows} rows + ${rejected} rejects + ` + `${skipped} skips are not ${records} records`;
  return [{ invariant: "I007", subject: name, message }];
}

function artefactClaims(a: Manifest["artefacts"][number], manifest: Manifest): Breach[] {
  const failed = a.checks.filter((c) => !c.passed && c.severity === "error");
  const breaches: Breach[] = failed.map((c) => ({
    invariant: "I005",
    subject: a.path,
    message: `listed as verified although ${c.name} failed`,
  }));
  const until = Date.parse(manifest.finished_at) + a.retain_days * DAY_MS;
  if (Date.parse(a.retain_until) < until) {
    const message = `kept until ${a.retain_until}, which is less than ${a.retain_days} days`;
    breaches.push({ invariant: "I014", subject: a.path, message });
  }
  return breaches;
}

/** The commit, its manifest and its receipts are of one attempt of one run (I015). */
function oneAttempt(run: Committed): Breach[] {
  const { commit, manifest, receipts, run_id } = run;
  const same =
    [commit, manifest, receipts].every((d) => d.attempt === commit.attempt) &&
    [commit, manifest, receipts].every((d) => d.run_id === run_id);
  if (same) return [];
  const message = "commit, manifest and receipts are not of one attempt of this run";
  return [{ invariant: "I015", subject: run.run_id, message }];
}
