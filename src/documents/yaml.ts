import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import type { DocumentPath, Mistake, Problem } from "../model/mistake.js";

/** A strict YAML 1.2 document: its plain values, and where each of them stands. */
export interface YamlDocument {
  /** Plain objects, lists and scalars; null when the text could not be read at all. */
  readonly value: unknown;
  /** Of the syntax alone; `readable` is false when the values cannot be relied on. */
  readonly mistakes: readonly Mistake[];
  readonly readable: boolean;
  readonly place: (problem: Problem) => Mistake;
}

const MOST_CHARACTERS = 1_000_000;
// The parser recurses per level, and compiles a pattern as wide as the indentation: both are
// bounded here.
const DEEPEST_INDENT = 200;
const DEEPEST_BRACKETS = 100;

/**
 * Reads YAML 1.2 (core schema) without what makes it surprising: no tags, anchors, aliases, merge
 * keys, directives, second documents or repeated keys. Never throws on a text, whatever it holds.
 */
export function readYaml(text: string, file: string): YamlDocument {
  const tooMuch = bounds(text, file);
  if (tooMuch !== null) return unreadable([tooMuch]);
  const lines = new LineCounter();
  const doc = parseDocument(text, {
    version: "1.2",
    schema: "core",
    strict: true,
    stringKeys: true,
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false, // compares all pairs of keys; `oddities` does it in one pass, with places
    prettyErrors: false,
    logLevel: "error", // "silent" would also pass over a second document
    lineCounter: lines,
  });
  const mistake = (offset: number, what: Omit<Problem, "at">): Mistake => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), ...what };
  };
  const faults = doc.errors.map((e) => mistake(e.pos[0], syntax(e.code, e.message)));
  if (doc.directives?.yaml.explicit)
    faults.unshift(mistake(0, odd("a directive", "no %YAML line: this is always YAML 1.2")));
  if (faults.length > 0) return unreadable(faults);
  const root = doc.contents;
  const odds = [...oddities(root, [])];
  const mistakes = odds.map((o) => mistake(o.offset, o.what));
  if (odds.some((o) => o.alias)) return unreadable(mistakes); // an alias is never followed
  return {
    value: isNode(root) ? root.toJS(doc, { maxAliasCount: 0 }) : null,
    mistakes,
    readable: true,
    place: ({ at, ...what }) => mistake(offsetOf(root, what.path, at), what),
  };

  function unreadable(all: readonly Mistake[]): YamlDocument {
    const place = ({ at: _, ...what }: Problem): Mistake => ({ file, line: 1, column: 1, ...what });
    return { value: null, mistakes: all, readable: false, place };
  }
}

type What = Omit<Problem, "at">;
interface Oddity {
  readonly offset: number;
  readonly alias?: true;
  readonly what: What;
}

function odd(message: string, expected: string, path: DocumentPath = []): What {
  return { path, message, expected, nearest: null };
}

function syntax(code: string, message: string): What {
  if (code === "MULTIPLE_DOCS") return odd("a second document begins here", "one document a file");
  const first = message.split("\n", 1)[0] ?? message;
  return odd(first.length > 160 ? `${first.slice(0, 159)}…` : first, "valid YAML 1.2");
}

function bounds(text: string, file: string): Mistake | null {
  const at = (line: number, column: number, message: string, expected: string): Mistake => {
    return { file, line, column, message, expected, nearest: null, path: [] };
  };
  if (text.length > MOST_CHARACTERS)
    return at(1, 1, "the file is too large", `at most ${MOST_CHARACTERS} characters`);
  let depth = 0;
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    const indent = /^[\s?:-]*/.exec(line)?.[0].length ?? 0;
    if (indent > DEEPEST_INDENT)
      return at(i + 1, 1, "nested too deep", `at most ${DEEPEST_INDENT} columns of indentation`);
    for (let j = 0; j < line.length; j++) {
      const c = line[j];
      if (c === "[" || c === "{") depth++;
      else if (c === "]" || c === "}") depth = Math.max(0, depth - 1);
      if (depth > DEEPEST_BRACKETS)
        return at(i + 1, j + 1, "nested too deep", `at most ${DEEPEST_BRACKETS} open brackets`);
    }
  }
  return null;
}

/** What strict YAML allows and a document of ours does not, everywhere below a node. */
function* oddities(node: unknown, path: DocumentPath): Generator<Oddity> {
  if (!isNode(node)) return;
  const offset = startOf(node);
  if (isAlias(node)) {
    const what = odd(`an alias *${node.source}`, "the value itself, written out", path);
    yield { offset, what, alias: true };
    return;
  }
  if (node.anchor !== undefined)
    yield { offset, what: odd(`an anchor &${node.anchor}`, "the value without an anchor", path) };
  if (node.tag !== undefined && node.tag !== "!")
    yield { offset, what: odd(`a tag ${node.tag}`, "the value without a tag", path) };
  if (isSeq(node)) {
    for (const [i, item] of node.items.entries()) yield* oddities(item, [...path, i]);
  } else if (isMap(node)) {
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : "";
      const here = [...path, name];
      if (isNode(key)) yield* oddKey(key, name, seen, here);
      yield* oddities(value, here);
      seen.add(name);
    }
  }
}

function* oddKey(
  key: Node,
  name: string,
  seen: Set<string>,
  path: DocumentPath,
): Generator<Oddity> {
  yield* oddities(key, path);
  const offset = startOf(key);
  if (seen.has(name))
    yield { offset, what: odd(`key "${name}" is here twice`, "each key once", path) };
  if (name === "__proto__")
    yield { offset, what: odd("__proto__ is not a name", "another name", path) };
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/**
 * The offset of a path's key or value. A path that leads further than the document is placed at the
 * last key on its way (a missing key is a mistake of the mapping that lacks it).
 */
function offsetOf(root: unknown, path: DocumentPath, at: "key" | "value"): number {
  let node = root;
  let label: Node | null = null; // the key that leads to `node`
  for (const [i, step] of path.entries()) {
    let next: unknown;
    let key: Node | null = null;
    if (isMap(node)) {
      const pair = node.items.findLast((p) => isScalar(p.key) && String(p.key.value) === step);
      next = pair?.value;
      key = isNode(pair?.key) ? pair.key : null;
    } else if (isSeq(node) && typeof step === "number") next = node.items[step];
    else return isNode(node) ? startOf(node) : 0; // a short form: the value stands for the whole
    if (key === null && next === undefined) return placeOf(label, node);
    if (i === path.length - 1 && at === "key" && key !== null) return startOf(key);
    [node, label] = [next, key];
  }
  const empty = isScalar(node) && node.range?.[0] === node.range?.[1];
  return isNode(node) && !empty ? startOf(node) : placeOf(label, node);
}

function placeOf(label: Node | null, node: unknown): number {
  if (label !== null) return startOf(label);
  return isNode(node) ? startOf(node) : 0;
}
