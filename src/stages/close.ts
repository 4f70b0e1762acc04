import type { Effects } from "../effects.js";
import { documentText } from "../model/canonical.js";
import type { ControlTotal } from "../model/compute.js";
import { TieoutError } from "../model/errors.js";
import { fileOf, type LoadedJob } from "../model/job.js";
import { relativeTo, runKeys } from "../model/layout.js";
import { type Figure, Manifest } from "../model/manifest.js";
import { CloseRecord, type SealedFile } from "../model/records.js";
import type { Relation } from "../model/relation.js";
import { stepRelation } from "../model/relations.js";
import type { Verified } from "../model/run.js";
import { renderClosing, renderSummary } from "../model/summary.js";
import { computeFigure } from "../queries/figures.js";
import { readWhole } from "./journal.js";
import { planManifest } from "./manifest.js";
import type { Stage } from "./stage.js";
import { controlTotals } from "./totals.js";

/**
 * Figures, summary, records, SHA256SUMS and, last, the manifest (I004). After this stage the
 * attempt's folder holds everything that will be kept, read-only, and one document that lists it
 * all.
 * @throws SUMMARY_INVALID, DAMAGED when the journal is not whole
 */
export const close: Stage<"verified", CloseRecord, "closed"> = {
  name: "close",
  record: CloseRecord,

  async run(from, fx) {
    const { layout } = from;
    const figures = await computeFigures(from, fx);
    const seal = async (
      path: Parameters<typeof fx.folder.write>[0],
      text: string,
    ): Promise<SealedFile> => ({
      path: relativeTo(layout, path),
      ...(await fx.folder.write(path, text)),
    });
    const loaded: LoadedJob = { job: from.job, sql: from.sql, summary: from.summary };
    const job = await seal(layout.record("job.json"), documentText(loaded));
    const journal = await copyJournal(from, fx);
    const summary = await seal(layout.summary, summaryText(from, figures));
    const records = [
      job,
      journal.file,
      ...from.steps.map((s) => s.sql),
      ...rejects(from),
      ...from.failed_rows,
      summary,
    ];
    const kept = [
      ...from.steps
        .filter((s) => s.kind === "artefact")
        .flatMap((s) => [s.file, ...(s.twin ? [s.twin] : [])]),
      ...records,
    ];
    const sums = await seal(layout.sums, sumsText(kept));
    const finished = fx.clock.now();
    const extra = {
      figures,
      totals: await totalsOf(from, fx),
      records: [...records, sums],
      journal_head: journal.head,
      journal_lines: journal.lines,
      finished_at: new Date(finished).toISOString(),
      kept_from: Math.max(finished, await fx.store.now()),
      store: await fx.store.facts(),
    };
    const manifest = planManifest(from, extra, fx);
    return { manifest: await seal(layout.manifest, documentText(Manifest.parse(manifest))) };
  },

  async prove(from, record, fx) {
    const text = await fx.folder.text(from.layout.manifest);
    const now = await fx.folder.hash(from.layout.manifest);
    if (now.sha256 !== record.manifest.sha256) {
      throw new TieoutError("DAMAGED", {
        subject: record.manifest.path,
        cause: "the manifest's bytes are not those that were sealed",
        remedy: "run the id again: a new attempt closes anew",
      });
    }
    return { ...from, manifest: Manifest.parse(JSON.parse(text)), manifest_file: record.manifest };
  },

  journal: (from) => from.layout.journal,
};

async function computeFigures(from: Verified, fx: Effects): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, spec] of Object.entries(from.job.figures ?? {})) {
    const relation = artefactRelation(spec.artefact, from);
    figures.push(await computeFigure(name, spec, relation, from.job, fx));
  }
  return figures;
}

async function totalsOf(from: Verified, fx: Effects): Promise<Map<string, ControlTotal[]>> {
  const totals = new Map<string, ControlTotal[]>();
  for (const step of from.steps.filter((s) => s.kind === "artefact")) {
    totals.set(step.file.name, await controlTotals(stepRelation(step, from.layout), fx));
  }
  return totals;
}

function artefactRelation(name: string, from: Verified): Relation {
  const i = from.job.steps.findIndex((s) => fileOf(s).name === name);
  const record = from.steps[i];
  if (record === undefined) throw new Error(`no step makes ${name}; the job was not checked`);
  return stepRelation(record, from.layout);
}

/** The journal so far, sealed: the manifest lists it and names its head (I017). */
async function copyJournal(from: Verified, fx: Effects) {
  const { head, lines } = await readWhole(from.layout.journal, fx);
  const to = from.layout.record("journal.jsonl");
  const sealed = await fx.folder.copy(from.layout.journal, to);
  return { head, lines: lines.length, file: { path: relativeTo(from.layout, to), ...sealed } };
}

function rejects(from: Verified): SealedFile[] {
  return from.inputs.flatMap((i) => i.rejects ?? []);
}

function summaryText(from: Verified, figures: readonly Figure[]): string {
  const keys = runKeys(from.run_id);
  const kept = from.steps
    .filter((s) => s.kind === "artefact")
    .map((s) => ({
      path: s.file.path,
      key: keys.attempt(from.attempt, s.file.path),
      rows: s.rows,
      sha256: s.file.sha256,
    }));
  const context = { run_id: from.run_id, as_of: from.as_of, title: from.job.title ?? from.job.job };
  const body =
    from.summary === null
      ? `# ${context.title}\n`
      : renderSummary(from.summary, from.job.figures ?? {}, figures, context);
  return `${body.trimEnd()}\n${renderClosing(kept)}`;
}

/**
 * `sha256sum -c SHA256SUMS` in the attempt's folder accepts it: two spaces, names relative to it.
 */
function sumsText(files: readonly SealedFile[]): string {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  return sorted.map((f) => `${f.sha256}  ${f.path}\n`).join("");
}
