import { documentText } from "../model/canonical.js";
import { isTieout } from "../model/errors.js";
import { ChecksFailed } from "../model/finding.js";
import { DocumentError, mistakeText } from "../model/mistake.js";
import type { Table } from "../model/relation.js";
import { visible } from "../model/visible.js";
import { RENDERERS } from "./render.js";
import { table } from "./table.js";

/** An answer for a terminal: JSON when asked for, else the words of its operation. */
export function outputText(operation: string, output: unknown, json: boolean): string {
  const render = RENDERERS[operation];
  if (json || render === undefined) return documentText(output);
  return `${render(output).trimEnd()}\n`;
}

/**
 * An error for standard error, with `json` one line, as events are. A person's mistake has its
 * cause, place and remedy; only a bug of ours has a stack. Failing rows are shown to a person at a
 * terminal and to nobody else (I018).
 */
export function errorText(e: unknown, to: { json: boolean; person: boolean }): string {
  if (!isTieout(e)) return bug(e, to.json);
  if (to.json) return `${JSON.stringify(e)}\n`;
  const mistakes = e instanceof DocumentError ? e.mistakes.map((m) => `  ${mistakeText(m)}\n`) : [];
  const cause = e instanceof ChecksFailed ? findingsText(e, to.person) : `  ${e.message}\n`;
  return `${e.code}  ${e.subject}\n${cause}${mistakes.join("")}  → ${e.remedy}\n`;
}

function findingsText(e: ChecksFailed, person: boolean): string {
  const texts = e.findings.map((f) => {
    const where = f.failed_rows === null ? "" : `, all in ${f.failed_rows}`;
    const rows = person ? evidenceText(e.evidence.get(f.check)) : "";
    return `  ${f.severity}  ${f.check}: ${f.message}${where}\n${rows}`;
  });
  return texts.join("");
}

function evidenceText(rows: Table | undefined): string {
  if (rows === undefined) return "";
  const header = rows.columns.map((c) => c.name);
  const cells = rows.rows.map((row) => row.map((cell) => (cell === null ? "∅" : visible(cell))));
  return table(header, cells).replace(/^(?=.)/gm, "      ");
}

function bug(e: unknown, json: boolean): string {
  const stack = e instanceof Error ? (e.stack ?? e.message) : String(e);
  const message = "this should not have happened";
  const remedy = "please report it with its stack";
  if (json)
    return `${JSON.stringify({ code: "BUG", subject: "tieout", message, remedy, stack })}\n`;
  return `BUG  tieout\n  ${message}\n  → ${remedy}\n${stack}\n`;
}
