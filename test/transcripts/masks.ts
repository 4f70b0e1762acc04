import { readdirSync, readFileSync } from "node:fs";

/**
 * What two runs of one transcript may differ in, each as a word in angle brackets. Hashes of what is
 * canonical on every machine (inputs and CSV artefacts) stay as they are; those of documents that hold
 * a time, and of files whose format may carry its writer's version, do not.
 */
export function masked(text: string, folder: string): string {
  const canonical = canonicalHashes(`${folder}/.tieout/store`);
  return text
    .replaceAll(folder, "<here>")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>")
    .replace(/\b[0-9a-f]{64}\b/g, (hash) => (canonical.has(hash) ? hash : "<sha256>"))
    .replace(/"version": "[0-9a-f]{16}"/g, '"version": "<version>"')
    .replace(/\b\d+-[0-9a-f]{8}-[0-9a-f]{8}\b/g, "<next>")
    .replace(/\b[\w.-]+:\d+:[0-9a-f]{8}\b/g, "<owner>")
    .replace(/"size_bytes": \d+/g, '"size_bytes": <bytes>')
    .replace(/\d+(\.\d)? [kM]B\b/g, "<size>")
    .replace(/"estimated_tokens": \d+/g, '"estimated_tokens": <tokens>');
}

/** Hashes of inputs and CSV artefacts that the store's manifests list. */
function canonicalHashes(store: string): Set<string> {
  const hashes = new Set<string>();
  for (const path of below(store).filter((p) => /^[^.].*\/manifest\.json$/.test(p))) {
    const { inputs, artefacts } = JSON.parse(readFileSync(`${store}/${path}`, "utf8"));
    for (const { files } of inputs) for (const { sha256 } of files) hashes.add(sha256);
    for (const a of artefacts) if (a.path.endsWith(".csv")) hashes.add(a.sha256);
  }
  return hashes;
}

function below(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return []; // nothing was kept yet
  }
}
