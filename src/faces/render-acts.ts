import type { ActAnswer, Keeping, PurgeAnswer, PurgeRun } from "../model/retention.js";
import { counted, fields, sized, table } from "./table.js";

type Field = readonly [string, string | null];

/** Lines of `fields` that say for how long a run is kept. */
export function keptFields({ held, until, mode, objects, objects_held, purged }: Keeping): Field[] {
  const unheld = held === null ? 0 : objects - objects_held;
  return [
    ["on hold", held && `since ${held.since}: ${held.reasons.join("; ")}`],
    ["", unheld > 0 ? `${unheld} objects are not held yet: run tieout hold again` : null],
    ["kept until", until && `${until} (${mode ?? "not recorded"})`],
    ["purged", purged[0] === undefined ? null : `${purged.length} files on ${purged[0].at}`],
  ];
}

/** The ledger of a run, or nothing when nothing happened to it. */
export function actsText({ acts }: Keeping): string {
  if (acts.length === 0) return "";
  const rows = acts.map((a) => [String(a.seq), a.kind, a.at, a.says, a.by]);
  return `\n${table(["act", "what", "when", "says", "by"], rows)}`;
}

export function renderAct({ run_id, changed, kept }: ActAnswer): string {
  const state = changed ? "it is on the ledger" : "it was so before";
  return `${fields([["run", `${run_id}: ${state}`], ...keptFields(kept)])}${actsText(kept)}`;
}

export function renderPurge(a: PurgeAnswer): string {
  const runs = a.runs.map((run) => renderPurgeRun(run, a.applied)).join("\n");
  const total = `${counted(a.objects)} files, ${sized(a.size_bytes)}`;
  const removed = a.runs.reduce((sum, r) => sum + r.removed, 0);
  const end = a.applied
    ? removed === 0
      ? "Nothing was removed."
      : `${counted(removed)} files were removed; what they held is on their runs' ledgers.`
    : a.objects === 0
      ? `Nothing is to be purged by the store's clock, ${a.now}.`
      : `${total} may go by the store's clock, ${a.now}; nothing was changed: ` +
        "say --yes to remove them.";
  return `${runs}${a.runs.length === 0 ? "" : "\n"}${end}\n`;
}

function renderPurgeRun(run: PurgeRun, applied: boolean): string {
  const rows = [...run.pending, ...run.objects].map((o) => [
    `  ${o.path}`,
    o.rows === null ? "" : counted(o.rows),
    sized(o.size_bytes),
    o.sha256,
  ]);
  const files = rows.length === 0 ? "" : table(["  file", "rows", "size", "sha256"], rows);
  const lines = (word: string, texts: readonly string[]): string =>
    texts.map((text) => `  ${word}: ${text}\n`).join("");
  const notes =
    lines("refused", run.refused) + lines("stays", run.shared) + lines("kept", run.kept);
  const done = applied && run.removed > 0 ? `: ${counted(run.removed)} files removed` : "";
  return `${run.run_id}${done}\n${files}${notes}`;
}
