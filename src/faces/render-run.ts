import type { RechainAnswer, RunAnswer, RunsAnswer, Sharing } from "../model/report.js";
import { counted, table } from "./table.js";

/** Several runs in turn, a line each. */
function renderNights(nights: RechainAnswer["restated"]): string {
  const rows = nights.map((n) => [
    n.run_id,
    n.repeated ? "was committed before" : "is committed",
    n.outcome,
    n.pending ?? "",
  ]);
  return table(["run", "state", "outcome", "pending"], rows);
}

/** A run, or what became of each date of a range and then the last of it. */
export function renderRuns(a: RunsAnswer): string {
  return a.nights === undefined ? renderRun(a) : `${renderNights(a.nights)}\n${renderRun(a)}`;
}

export function renderRechain(a: RechainAnswer): string {
  return a.restated.length === 0 ? `No run of ${a.job} is outdated.\n` : renderNights(a.restated);
}

/** What a run came to: its state, its summary as the job wrote it, and what it left out. */
export function renderRun(a: RunAnswer): string {
  const state = a.repeated ? "was committed before; nothing was touched" : "is committed";
  const head =
    `${a.run_id} ${state} (attempt ${a.attempt}, ${a.outcome})\n` +
    (a.supersedes === null
      ? ""
      : `It supersedes ${a.supersedes.run_id}: ${a.supersedes.reason}\n`) +
    a.uncommitted.map((n) => `note: ${uncommittedText(n)}\n`).join("");
  const sources = [
    ...a.inputs.map((i) => [i.name, counted(i.rows), counted(i.rejected), counted(i.skipped)]),
    ...a.previous.map((p) => [
      `previous.${p.name} of ${p.run_id ?? "no run"}`,
      counted(p.rows),
      "",
      "",
    ]),
  ];
  const pinned = table(["source", "rows", "rejects", "skipped"], sources);
  const discarded = a.discarded.map((d) => `${d.path} (${counted(d.rows)} rows)`).join(", ");
  const findings = a.findings.map((f) => `  ${f.severity}  ${f.check}: ${f.message}\n`).join("");
  return (
    `${head}\n${pinned}\n${a.summary.trimEnd()}\n\n` +
    `manifest   ${a.manifest.key}\nsha256     ${a.manifest.sha256}\n` +
    (discarded === "" ? "" : `discarded  ${discarded}\n`) +
    (findings === "" ? "" : `findings\n${findings}`) +
    renderShares(a.shares) +
    (a.pending === null ? "" : `pending    ${a.pending}\n`)
  );
}

/** People's copies; what is pending is told where it is said what is left to do. */
export function renderShares(shares: readonly Sharing[]): string {
  return shares
    .filter((s) => s.state !== "pending")
    .map((s) =>
      s.state === "shared"
        ? `shared     ${s.destination}: ${s.to}\n`
        : `not shared ${s.artefact}: ${s.why}\n`,
    )
    .join("");
}

/** Of an attempt that got as far as its manifest: an auditor asks what became of it. */
export function uncommittedText(attempt: number): string {
  return (
    `attempt ${attempt} left a whole manifest that no commit names: ` +
    "it ended just before its commit, or that commit was lost from the store"
  );
}
