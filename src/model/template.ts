import { AsOf } from "./ids.js";

/** Where something stands in a template; both from 1, columns in code points. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What `{{…}}` refers to. */
export type Reference =
  | { readonly kind: "name"; readonly name: string }
  | {
      readonly kind: "cell";
      readonly name: string;
      readonly row: number;
      readonly column: string;
    };

export interface TextPiece extends Place {
  readonly kind: "text" | "number";
  readonly text: string;
}
export interface Placeholder extends Place {
  readonly kind: "placeholder";
  readonly text: string;
  /** Null: it cannot be read. */
  readonly reference: Reference | null;
}

/** One piece of a summary's template, in order; their texts together are the template. */
export type Piece = TextPiece | Placeholder;

const PLACEHOLDER = /\{\{[^{}]*\}\}?/gu;
/** A run of characters that a reader takes for one number or one word with a number in it. */
const WORD = /[\p{L}\p{N}_]+(?:[-.,'’:/]+[\p{L}\p{N}_]+)*/gu;

/**
 * A template in pieces, line ends made canonical. A `number` is a word that holds a digit or
 * another number sign (\p{N}), unless it is a calendar date YYYY-MM-DD or one of `allowed`,
 * compared whole.
 */
export function piecesOf(written: string, allowed: ReadonlySet<string>): Piece[] {
  const template = written.replace(/\r\n?/g, "\n");
  const pieces: Piece[] = [];
  let at = 0;
  const text = (upto: number): void => {
    pieces.push(...wordsOf(template.slice(at, upto), template, at, allowed));
    at = upto;
  };
  for (const m of template.matchAll(PLACEHOLDER)) {
    text(m.index);
    const reference = referenceOf(m[0]);
    pieces.push({ kind: "placeholder", text: m[0], reference, ...placeOf(template, at) });
    at += m[0].length;
  }
  text(template.length);
  return pieces;
}

function wordsOf(
  part: string,
  template: string,
  start: number,
  allowed: ReadonlySet<string>,
): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const push = (kind: "text" | "number", upto: number): void => {
    if (upto === at) return;
    pieces.push({ kind, text: part.slice(at, upto), ...placeOf(template, start + at) });
    at = upto;
  };
  for (const m of part.matchAll(WORD)) {
    if (!/\p{N}/u.test(m[0]) || allowed.has(m[0]) || AsOf.safeParse(m[0]).success) continue;
    push("text", m.index);
    push("number", m.index + m[0].length);
  }
  push("text", part.length);
  return pieces;
}

function referenceOf(placeholder: string): Reference | null {
  const m = /^\{\{\s*([a-z][a-z0-9_]*)(?:\[(\d{1,2})\]\.([a-z_][a-z0-9_]*))?\s*\}\}$/.exec(
    placeholder,
  );
  if (!m) return null;
  const [, name = "", row, column] = m;
  if (row === undefined || column === undefined) return { kind: "name", name };
  return { kind: "cell", name, row: Number(row), column };
}

function placeOf(template: string, at: number): Place {
  const lines = template.slice(0, at).split("\n");
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
}
