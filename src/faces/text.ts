import { documentText } from "../model/canonical.js";
import { isTieout } from "../model/errors.js";
import { DocumentError, mistakeText } from "../model/mistake.js";
import { RENDERERS } from "./render.js";

/** An answer for a terminal: JSON when asked for, else the words of its operation. */
export function outputText(operation: string, output: unknown, json: boolean): string {
  const render = RENDERERS[operation];
  if (json || render === undefined) return documentText(output);
  return `${render(output).trimEnd()}\n`;
}

/**
 * An error for standard error. A person's mistake has its cause, place and remedy; only a bug of
 * ours
 * has a stack.
 */
export function errorText(e: unknown, json: boolean): string {
  if (!isTieout(e)) return bug(e, json);
  if (json) return documentText(e);
  const mistakes = e instanceof DocumentError ? e.mistakes.map((m) => `  ${mistakeText(m)}\n`) : [];
  const head = `${e.code}  ${e.subject}\n  ${e.message}\n`;
  return `${head}${mistakes.join("")}  → ${e.remedy}\n`;
}

function bug(e: unknown, json: boolean): string {
  const stack = e instanceof Error ? (e.stack ?? e.message) : String(e);
  const message = "this should not have happened";
  const remedy = "please report it with its stack";
  if (json) return documentText({ code: "BUG", subject: "tieout", message, remedy, stack });
  return `BUG  tieout\n  ${message}\n  → ${remedy}\n${stack}\n`;
}
