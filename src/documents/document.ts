import { z } from "zod";
import type { DocumentPath, Mistake, Problem } from "../model/mistake.js";
import { at, explain } from "./words.js";
import { readYaml } from "./yaml.js";

/** What a kind of document is. */
export interface DocumentKind<T> {
  readonly schema: z.ZodType<T>;
  /** What a text without a value stands for. */
  readonly empty: unknown;
  /** What is wrong between the parts of a document whose fields are valid. */
  readonly problems: (value: T) => readonly Problem[];
  /** A valid text near a refused one, for a document's own small languages. */
  readonly suggest: (path: DocumentPath, found: unknown) => string | null;
}

export interface ReadDocument<T> {
  /** Null as soon as there is one mistake. */
  readonly value: T | null;
  /**
   * The value as far as it can be judged: also with unknown keys, which it is without; else null.
   */
  readonly draft: T | null;
  readonly mistakes: readonly Mistake[];
  /** The place of a problem that is found later. */
  readonly place: (problem: Problem) => Mistake;
}

/** A text as a document of a kind: its value, or every mistake in the order of their places. */
export function readDocument<T>(
  text: string,
  file: string,
  kind: DocumentKind<T>,
): ReadDocument<T> {
  const yaml = readYaml(text, file);
  if (!yaml.readable)
    return { value: null, draft: null, mistakes: yaml.mistakes, place: yaml.place };
  const given = yaml.value ?? kind.empty;
  const first = kind.schema.safeParse(given);
  const wrong = first.success ? [] : explained(first.error.issues, given, kind);
  // A misspelt optional key hides nothing else: without it the rest may still be read and judged.
  const rest = first.success ? first : kind.schema.safeParse(withoutUnknown(given, first.error));
  const between = rest.success ? kind.problems(rest.data) : [];
  const problems = [...wrong];
  for (const p of between)
    if (!problems.some((told) => touches(told.path, p.path))) problems.push(p);
  const mistakes = [...yaml.mistakes, ...problems.map(yaml.place)].sort(
    (a, b) => a.line - b.line || a.column - b.column,
  );
  const value = first.success && mistakes.length === 0 ? first.data : null;
  return { value, draft: rest.success ? rest.data : null, mistakes, place: yaml.place };
}

function explained<T>(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  kind: DocumentKind<T>,
): Problem[] {
  const schema = z.toJSONSchema(kind.schema, { io: "input" });
  return explain(issues, value, schema).map((p) => ({
    ...p,
    nearest: p.nearest ?? kind.suggest(p.path, at(value, p.path)),
  }));
}

/** One lies on the way to the other, or both are keys of one mapping of which one is unknown. */
function touches(a: DocumentPath, b: DocumentPath): boolean {
  const shared = Math.min(a.length, b.length);
  return a.slice(0, shared).every((key, i) => key === b[i]);
}

/** A copy of plain values without the keys that a schema did not know. */
function withoutUnknown(value: unknown, error: z.ZodError): unknown {
  const unknown = new Set(
    error.issues.flatMap((i) =>
      i.code === "unrecognized_keys" ? i.keys.map((k) => JSON.stringify([...i.path, k])) : [],
    ),
  );
  const copy = (v: unknown, path: DocumentPath): unknown => {
    if (Array.isArray(v)) return v.map((item, i) => copy(item, [...path, i]));
    if (typeof v !== "object" || v === null) return v;
    const kept = Object.entries(v).filter(([k]) => !unknown.has(JSON.stringify([...path, k])));
    return Object.fromEntries(kept.map(([k, item]) => [k, copy(item, [...path, k])]));
  };
  return copy(value, []);
}
