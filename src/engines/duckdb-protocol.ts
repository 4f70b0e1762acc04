import { CODES, type Code, TieoutError } from "../model/errors.js";
import type { Table } from "../model/relation.js";
import type { SessionOptions } from "./duckdb-session.js";
import type { Engine, Question } from "./engine.js";

/** What a child can be asked; arguments and answers are plain data. */
export interface Calls extends Pick<Engine, "vet" | "evaluate" | "ask" | "render"> {
  /** Opens a stream under a number that the parent chose. */
  readonly open: (stream: number, question: Question) => Promise<null>;
  /** The next batch; null at the end. */
  readonly next: (stream: number) => Promise<Table["rows"] | null>;
  readonly drop: (stream: number) => Promise<null>;
}

export interface Start {
  readonly options: SessionOptions;
  /** The child ends itself above this many bytes of resident memory. */
  readonly rss_bytes: number;
}

export type ToChild =
  | { readonly id: number; readonly start: Start }
  | { readonly id: number; readonly op: keyof Calls; readonly args: readonly unknown[] };

/** `memory`: the child is about to end itself. The answer to `start` is the engine's version. */
export type FromChild =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: Wire }
  | { readonly memory: true };

/** An error as it crosses the channel; `code` null is a bug of ours. */
export interface Wire {
  readonly code: string | null;
  readonly message: string;
  readonly subject: string;
  readonly remedy: string;
  readonly at: Readonly<Record<string, string | number>>;
}

export function wireOf(e: unknown): Wire {
  if (e instanceof TieoutError)
    return { code: e.code, message: e.message, subject: e.subject, remedy: e.remedy, at: e.at };
  const message = e instanceof Error ? e.message : String(e);
  return { code: null, message, subject: "", remedy: "", at: {} };
}

export function errorOf(w: Wire): Error {
  if (w.code === null || !isCode(w.code)) return new Error(w.message);
  const { subject, remedy, at } = w;
  return new TieoutError(w.code, { subject, cause: w.message, remedy, at });
}

function isCode(text: string): text is Code {
  return text in CODES;
}
