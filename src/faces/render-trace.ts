import type { Figure } from "../model/manifest.js";
import type { TraceAnswer } from "../model/report.js";
import { counted, fields, sized, table } from "./table.js";

/** The way back from a number, or what has one. */
export function renderTrace(a: TraceAnswer): string {
  const { figure, artefact } = a;
  if (artefact === null) return renderTraceable(a);
  const head = fields([
    ["run", a.run_id],
    ["outdated", a.outdated],
    ["manifest", `${a.manifest.key}  ${a.manifest.sha256}`],
    ["figure", figure && `${figure.name} = ${valueText(figure)}`],
    ["computed as", figure && computedAs(figure)],
    ["file", `${artefact.path}, ${counted(artefact.rows)} rows, ${sized(artefact.size_bytes)}`],
    ["key", artefact.key],
    ["sha256", artefact.sha256],
    ["checks", `${artefact.checks_passed} of ${artefact.checks_total} passed`],
    ["kept until", artefact.purged === null ? `${artefact.kept_until} (${artefact.mode})` : null],
    ["on hold", artefact.held ? "yes" : null],
    ["purged", artefact.purged && `on ${artefact.purged}; its rows and hash are above`],
  ]);
  const steps = a.steps.map(
    (s) =>
      `\nstep ${s.name} (${s.by}) reads ${s.reads.join(", ") || "nothing"}\n${indented(s.sql)}`,
  );
  const inputs = a.inputs.flatMap((i) =>
    i.files.map((f) => [i.name, f.source, counted(i.rows), f.sha256]),
  );
  const previous = a.previous.map((p) => [
    `previous.${p.name}`,
    p.run_id ?? "none",
    "",
    p.sha256 ?? "",
  ]);
  const sources = table(["source", "from", "rows", "sha256"], [...inputs, ...previous]);
  return `${head}${steps.join("")}
${sources}`;
}

function renderTraceable({ run_id, outdated, traceable }: TraceAnswer): string {
  const { figures = [], artefacts = [] } = traceable ?? {};
  const numbers = figures.map((f) => [f.name, valueText(f), f.artefact]);
  const files = artefacts.map((a) => [a.path, counted(a.rows), a.sha256]);
  const note = outdated === null ? "" : `${run_id} is outdated: ${outdated}\n\n`;
  return (
    `${note}${table(["figure", "value", "of"], numbers)}\n` +
    `${table(["artefact", "rows", "sha256"], files)}\ntieout trace ${run_id} <name>\n`
  );
}

function valueText({ value, by_currency, rows, unit }: Figure): string {
  if (rows !== undefined) return `its first ${counted(rows.length)} rows`;
  if (by_currency !== undefined)
    return Object.entries(by_currency)
      .map(([currency, sum]) => `${sum} ${currency}`)
      .join(", ");
  return `${value ?? "∅"}${unit === null ? "" : ` ${unit}`}`;
}

function computedAs(figure: Figure): string {
  if (figure.aggregate === null) return `the first rows of ${figure.artefact}`;
  return `${figure.aggregate}(${figure.column ?? "rows"}) of ${figure.artefact}`;
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `    ${line}\n`)
    .join("");
}
