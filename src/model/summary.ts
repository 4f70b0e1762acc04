import { nearest, TieoutError } from "./errors.js";
import type { AsOf, RunId, Sha256 } from "./ids.js";
import type { FigureSpec } from "./job.js";
import type { Figure } from "./manifest.js";
import { cellText, markdownTable } from "./markdown.js";
import { type Piece, type Place, type Placeholder, piecesOf, type Reference } from "./template.js";

/** What a template may say besides figures. */
export interface SummaryContext {
  readonly run_id: RunId;
  readonly as_of: AsOf;
  readonly title: string;
}

/** A mistake in a template, with the text that would be right where there is one. */
export interface TemplateProblem extends Place {
  readonly message: string;
}

const CONTEXT = ["run_id", "as_of", "title"] as const;
type Specs = Readonly<Record<string, FigureSpec>>;

/**
 * All mistakes of a summary's template, before a run: numbers that are no figure (I012), names that
 * no figure has, cells that a figure cannot have. `allowed` are further words that may hold digits,
 * such as file names; dates YYYY-MM-DD always may.
 */
export function checkTemplate(
  template: string,
  specs: Specs,
  allowed: Iterable<string> = [],
): TemplateProblem[] {
  return problemsOf(piecesOf(template, new Set(allowed)), specs, []);
}

/**
 * The summary as markdown. A scalar is its canonical text and its unit ("4118.62 USD"), an amount
 * by currency all of them, a figure over no rows "none"; `{{top}}` alone on a line is a table. Text
 * out of data is escaped, so that it stays text.
 * @throws SUMMARY_INVALID with every mistake, its line and column, and the figure that a number
 * equals
 */
export function renderSummary(
  template: string,
  specs: Specs,
  figures: readonly Figure[],
  context: SummaryContext,
  allowed: Iterable<string> = [],
): string {
  const pieces = piecesOf(template, new Set([...allowed, context.run_id]));
  const problems = problemsOf(pieces, specs, figures);
  const [first] = problems;
  if (first) throw invalid(problems, first);
  return pieces
    .map((p) => (p.kind === "placeholder" ? rendered(p, figures, context) : p.text))
    .join("");
}

/** The ending of a closing summary: every kept file with its key in the store, rows and SHA-256. */
export function renderClosing(
  kept: readonly {
    readonly path: string;
    readonly key: string;
    readonly rows: number | null;
    readonly sha256: Sha256;
  }[],
): string {
  const rows = kept.map((f) => [f.path, String(f.rows ?? "-"), f.key, f.sha256]);
  return `\n## Kept files\n\n${markdownTable(["file", "rows", "store key", "sha256"], rows)}\n`;
}

function problemsOf(
  pieces: readonly Piece[],
  specs: Specs,
  figures: readonly Figure[],
): TemplateProblem[] {
  return pieces.flatMap((piece, i) => {
    const { line, column } = piece;
    const at = (message: string | null): TemplateProblem[] =>
      message === null ? [] : [{ line, column, message }];
    if (piece.kind !== "placeholder")
      return piece.kind === "number" ? at(numberProblem(piece.text, figures)) : [];
    if (piece.reference === null)
      return at(`${piece.text} is no placeholder: write {{name}} or {{name[0].column}}`);
    const wrong = referenceProblem(piece.reference, specs);
    if (wrong !== null) return at(wrong);
    return at(touchProblem(piece, pieces[i - 1], pieces[i + 1], pieces[i - 2], specs));
  });
}

function numberProblem(text: string, figures: readonly Figure[]): string {
  const equal = figures.find((f) => f.value === text);
  if (equal) return `the number ${text} is typed: write {{${equal.name}}} instead`;
  return `the number ${text} is no figure: declare one and write {{its_name}}, or use words`;
}

function referenceProblem(reference: Reference, specs: Specs): string | null {
  const { name } = reference;
  const words = [...Object.keys(specs), ...CONTEXT];
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (!spec) {
    if (reference.kind === "name" && words.includes(name)) return null;
    const near = nearest(name, words);
    return `no figure is called ${name}: ${near ? `did you mean {{${near}}}?` : words.join(", ")}`;
  }
  if (reference.kind === "name") return null;
  if (spec.top === undefined) return `${name} is one value: write {{${name}}}`;
  if (reference.row >= spec.top) {
    const last = `{{${name}[${spec.top - 1}].${reference.column}}}`;
    return `${name} has ${spec.top} rows, counted from 0: the last is ${last}`;
  }
  const columns: readonly string[] | undefined = spec.columns;
  if (columns === undefined || columns.includes(reference.column)) return null;
  const near = nearest(reference.column, columns) ?? columns[0];
  const meant = `{{${name}[${reference.row}].${near}}}`;
  return `${name} has no column ${reference.column}: did you mean ${meant}?`;
}

/** Text that leaves two figures one number for a reader. */
const JOINT = /^[^\s\p{L}]*$/u;

/**
 * A figure joined to another one, to a sign or to a letter reads as a number that nothing computed.
 */
function touchProblem(
  piece: Placeholder,
  before: Piece | undefined,
  after: Piece | undefined,
  earlier: Piece | undefined,
  specs: Specs,
): string | null {
  const [left, right] = [before?.text ?? "", after?.text ?? ""];
  if (isTable(piece, specs)) {
    const alone = /(^|\n[ \t]*\n)[ \t]*$/.test(left) && /^[ \t]*(\n[ \t]*\n|\n?$)/.test(right);
    return alone ? null : `${piece.text} is a table: put it between empty lines`;
  }
  const joined = earlier?.kind === "placeholder" && JOINT.test(left);
  if (before?.kind === "placeholder" || joined)
    return "two figures touch and read as one number: put a word between them";
  if (/[-−–+.,\p{L}\p{N}]$/u.test(left) || /^[\p{L}\p{N}]/u.test(right))
    return `${piece.text} touches text that changes how it reads: put a space between them`;
  return null;
}

function isTable(piece: Placeholder, specs: Specs): boolean {
  const { reference } = piece;
  if (reference?.kind !== "name" || !Object.hasOwn(specs, reference.name)) return false;
  return specs[reference.name]?.top !== undefined;
}

function rendered(piece: Placeholder, figures: readonly Figure[], context: SummaryContext): string {
  const reference = piece.reference;
  const figure = figures.find((f) => f.name === reference?.name);
  if (!reference || !figure) return contextValue(reference, context);
  if (reference.kind === "cell")
    return cellText(figure.rows?.[reference.row]?.[reference.column] ?? "none");
  if (figure.rows) return topTable(figure.rows);
  if (figure.by_currency) {
    const amounts = Object.entries(figure.by_currency).map(([cur, sum]) => `${sum} ${cur}`);
    return amounts.length === 0 ? "none" : amounts.join(", ");
  }
  if (figure.value === null) return "none";
  return cellText(figure.unit === null ? figure.value : `${figure.value} ${figure.unit}`);
}

function contextValue(reference: Reference | null, context: SummaryContext): string {
  const word = CONTEXT.find((w) => w === reference?.name);
  if (!word) throw new Error(`the figure ${reference?.name} was declared but not computed`);
  return cellText(context[word]);
}

function topTable(rows: NonNullable<Figure["rows"]>): string {
  const [first] = rows;
  if (!first) return "none";
  const columns = Object.keys(first);
  return markdownTable(
    columns,
    rows.map((row) => columns.map((c) => row[c] ?? "")),
  );
}

function invalid(problems: readonly TemplateProblem[], first: TemplateProblem): TieoutError {
  const list = problems.map((p) => `${p.line}:${p.column} ${p.message}`);
  return new TieoutError("SUMMARY_INVALID", {
    subject: `summary:${first.line}:${first.column}`,
    cause: list.join("\n"),
    remedy: "correct the summary's template at each line and column, then run the id again",
    at: { line: first.line, column: first.column, problems: problems.length },
  });
}
