import { DoctorAnswer } from "../model/capabilities.js";
import { LineageAnswer } from "../model/lineage.js";
import { mistakeText } from "../model/mistake.js";
import { AggregateAnswer, type Cell, DescribeAnswer, ReadAnswer } from "../model/read.js";
import {
  CheckAnswer,
  ConfigAnswer,
  DiffAnswer,
  ListAnswer,
  RechainAnswer,
  RecheckAnswer,
  RunAnswer,
  RunsAnswer,
  ShareAnswer,
  StatusAnswer,
  TraceAnswer,
} from "../model/report.js";
import { ActAnswer, PurgeAnswer } from "../model/retention.js";
import { actsText, keptFields, renderAct, renderPurge } from "./render-acts.js";
import {
  renderRechain,
  renderRun,
  renderRuns,
  renderShares,
  uncommittedText,
} from "./render-run.js";
import { renderTrace } from "./render-trace.js";
import { counted, fields, sized, table } from "./table.js";

/** The words of each operation's answer. An operation without words is shown as JSON. */
export const RENDERERS: Readonly<Record<string, (output: unknown) => string>> = {
  run: shown(RunsAnswer, renderRuns),
  restate: shown(RunAnswer, renderRun),
  rechain: shown(RechainAnswer, renderRechain),
  share: shown(ShareAnswer, renderShare),
  head: shown(ReadAnswer, renderRead),
  tail: shown(ReadAnswer, renderRead),
  where: shown(ReadAnswer, renderRead),
  aggregate: shown(AggregateAnswer, renderAggregate),
  describe: shown(DescribeAnswer, renderDescribe),
  list: shown(ListAnswer, renderList),
  status: shown(StatusAnswer, renderStatus),
  trace: shown(TraceAnswer, renderTrace),
  recheck: shown(RecheckAnswer, renderRecheck),
  lineage: shown(LineageAnswer, renderLineage),
  diff: shown(DiffAnswer, renderDiff),
  check: shown(CheckAnswer, renderCheck),
  hold: shown(ActAnswer, renderAct),
  release: shown(ActAnswer, renderAct),
  extend: shown(ActAnswer, renderAct),
  purge: shown(PurgeAnswer, renderPurge),
  config: shown(ConfigAnswer, renderConfig),
  doctor: shown(DoctorAnswer, renderDoctor),
};

function shown<T>(
  schema: { readonly parse: (output: unknown) => T },
  render: (answer: T) => string,
): (output: unknown) => string {
  return (output) => render(schema.parse(output));
}

function renderRead(a: ReadAnswer): string {
  const header = a.columns.map((c) => c.name);
  const rows = table(
    header,
    a.rows.map((row) => row.map(cellText)),
  );
  const next = a.next === undefined ? "" : `next: ${a.next}\n`;
  return `${rows}\n${a.notice}\n${next}`;
}

function cellText(cell: Cell): string {
  if (cell === null) return "∅";
  return typeof cell === "string" ? cell : `${cell.clipped}… (${counted(cell.chars)} characters)`;
}

function renderAggregate(a: AggregateAnswer): string {
  const of = a.column === undefined ? a.fn : `${a.fn}(${a.column})`;
  const value = (v: AggregateAnswer["value"], unit?: string | null): string => {
    const text = v === undefined ? "" : typeof v === "number" ? counted(v) : cellText(v);
    return unit ? `${text} ${unit}` : text;
  };
  const one = a.groups === undefined ? `${of}: ${value(a.value, a.unit)}\n` : "";
  const header = [...(a.by ?? []), of, "rows"];
  const groups = (a.groups ?? []).map((g) => [
    ...g.by.map(cellText),
    value(g.value, g.unit),
    counted(g.rows),
  ]);
  return `${one}${groups.length > 0 ? table(header, groups) : ""}\n${a.notice}\n`;
}

function renderDescribe(a: DescribeAnswer): string {
  const columns = table(
    ["column", "type"],
    (a.columns ?? []).map((c) => [c.name, c.type]),
  );
  const relations = table(
    ["relation", "kind", "rows", "columns"],
    (a.relations ?? []).map((r) => [r.relation, r.kind, counted(r.rows), counted(r.columns)]),
  );
  return `${a.columns === undefined ? relations : columns}\n${a.notice}\n`;
}

function renderShare(a: ShareAnswer): string {
  const pending = a.shares.filter((s) => s.state === "pending");
  const left = pending.map((s) => `pending    ${s.artefact} with ${s.destination}: ${s.why}\n`);
  return a.shares.length === 0
    ? `${a.run_id} shares nothing.\n`
    : `${renderShares(a.shares)}${left.join("")}`;
}

function renderList(a: ListAnswer): string {
  if (a.runs.length === 0) return "No run is committed.\n";
  const rows = a.runs.map((r) => [
    r.run_id,
    r.outcome + (r.held ? ", on hold" : "") + (r.purged > 0 ? ", purged" : ""),
    r.finished_at,
    String(r.artefacts),
    r.superseded_by ?? "",
  ]);
  const header = ["run", "outcome", "finished", "artefacts", "superseded by"];
  const outdated = a.runs
    .filter((r) => r.outdated !== null)
    .map((r) => `${r.run_id} is outdated: ${r.outdated}\n`)
    .join("");
  const shown = `${counted(a.runs.length)} of ${counted(a.runs_total)} runs.\n`;
  return `${table(header, rows)}\n${outdated}${shown}`;
}

function renderStatus(a: StatusAnswer): string {
  const failure = a.failure;
  const lines = fields([
    ["run", a.run_id],
    ["state", a.state],
    ["attempt", a.attempt === null ? null : String(a.attempt)],
    ["outcome", a.outcome],
    ["finished", a.finished_at],
    ["superseded", a.superseded_by && `by ${a.superseded_by}`],
    ["outdated", a.outdated],
    ...(a.kept === null ? [] : keptFields(a.kept)),
    ["claimed by", a.state === "running" ? `${a.owner} until ${a.until}` : null],
    ["last event", a.stage],
    ["failed in", failure && `${failure.stage}: ${failure.code}: ${failure.message}`],
    ["remedy", failure?.remedy ?? null],
    ...a.shares.map(
      (s) =>
        [
          s.state,
          s.why === null ? `${s.destination}: ${s.to}` : `${s.artefact}: ${s.why}`,
        ] as const,
    ),
    ["local folder", a.local_folder ? "still there" : "gone"],
    ...a.uncommitted.map((n) => ["note", uncommittedText(n)] as const),
  ]);
  return `${lines}${a.kept === null ? "" : actsText(a.kept)}`;
}

function renderRecheck(a: RecheckAnswer): string {
  const done =
    `${counted(a.objects)} objects (${sized(a.size_bytes)}) hashed, ${a.files_made_again} files ` +
    `made again, ${a.checks_run} checks run, ${a.figures_computed} figures computed again.\n`;
  const skipped = [
    ...a.not_made_again.map((s) => `  not made again: ${s}\n`),
    ...a.checks_not_run.map((c) => `  not run: ${c}\n`),
    ...a.not_named.map((key) => `  not named by the commit: ${key}\n`),
    ...a.purged.map((path) => `  purged, as its ledger says: ${path}\n`),
  ].join("");
  const except = a.complete
    ? ""
    : ` but for ${a.not_made_again.length} files not made again and ` +
      `${a.checks_not_run.length} checks not run`;
  if (a.sound) return `${a.run_id} is sound${except}: ${done}${skipped}`;
  const breaches = a.breaches.map((b) => `  ${b.invariant}  ${b.subject}: ${b.message}\n`);
  return `${a.run_id} is DAMAGED\n${breaches.join("")}${done}${skipped}`;
}

function renderDiff(a: DiffAnswer): string {
  const n = (v: number | null) => (v === null ? "-" : counted(v));
  const artefacts = a.artefacts.map((f) => [
    f.path,
    f.same_bytes ? "same" : "changed",
    n(f.rows_left),
    n(f.rows_right),
    n(f.only_left),
    n(f.only_right),
  ]);
  const inputs = a.inputs.map((i) => [
    i.name,
    i.changed ? "changed" : "same",
    n(i.rows_left),
    n(i.rows_right),
    "",
    "",
  ]);
  const header = ["file", "bytes", "rows left", "rows right", "only left", "only right"];
  const figures = a.figures.map((f) => [f.name, short(f.left), short(f.right)]);
  return (
    `left ${a.left}, right ${a.right}; the job ${a.job_changed ? "changed" : "is the same"}\n\n` +
    `${table(header, [...inputs, ...artefacts])}\n${table(["figure", "left", "right"], figures)}`
  );
}

/** Rows of a figure are in --json; here their beginning says that they differ or not. */
function short(value: string | null): string {
  if (value === null) return "-";
  return value.length <= 40 ? value : `${value.slice(0, 39)}…`;
}

function renderCheck(a: CheckAnswer): string {
  const unused = a.unused.map((f) => `  note: ${f} is not named by the job\n`).join("");
  if (a.valid) return `${a.job} is valid\n${unused}`;
  const lines = a.mistakes.map((m) => `${mistakeText(m)}\n`);
  const count = a.mistakes.length === 1 ? "1 mistake" : `${a.mistakes.length} mistakes`;
  return `${lines.join("")}${a.job} has ${count}\n${unused}`;
}

function renderConfig(a: ConfigAnswer): string {
  const rows = a.settings.map((s) => [s.name, s.value, s.from]);
  const ignored = a.ignored.map((name) => `note: ${name} is no setting\n`).join("");
  const mistakes = a.mistakes.map((m) => `${mistakeText(m)}\n`).join("");
  return `${table(["setting", "value", "from"], rows)}${ignored}${mistakes}`;
}

function renderDoctor(a: DoctorAnswer): string {
  const mark = (holds: boolean, needed: boolean): string => (holds ? "yes" : needed ? "NO" : "no");
  const rows = a.probes.map((p) => [p.probe, p.expected, p.found, mark(p.holds, p.needed)]);
  const will = a.will.map((w) => `runs will ${w}\n`).join("");
  return `${a.place}\n\n${table(["probe", "expected", "found", "holds"], rows)}\n${will}`;
}

/** One event on a line: what a collector's endpoint takes one by one. */
function renderLineage(a: LineageAnswer): string {
  return a.events.map((e) => `${JSON.stringify(e)}\n`).join("");
}
