import type { z } from "zod";
import { nearest } from "../model/errors.js";
import { type DocumentPath, type Problem, quoted, wrong, wrongKey } from "../model/mistake.js";

/** A JSON Schema as zod makes it, walked for the words that describe what was expected. */
type Schema = z.core.JSONSchema.BaseSchema;
type Issue = z.core.$ZodIssue;

/**
 * A validator's issues in the words of a person: what is there, what was expected, and the nearest
 * valid word. An unknown key that was meant for a missing one is told once, and so are a place and
 * a name that cannot be declared, however often it is used.
 *
 * @param value what was validated
 * @param schema the JSON Schema of it, `io: "input"`
 */
export function explain(issues: readonly Issue[], value: unknown, schema: Schema): Problem[] {
  const told = issues.flatMap((i) => explainOne(i, [], value, schema));
  const all = withoutUses(onePerPlace(told), value);
  const meant = new Set(
    all.flatMap((p) => (p.nearest === null ? [] : [spot([...p.path.slice(0, -1), p.nearest])])),
  );
  return all.filter((p) => !(at(value, p.path) === undefined && meant.has(spot(p.path))));
}

function onePerPlace(problems: readonly Problem[]): Problem[] {
  const places = problems.map((p) => `${p.at} ${spot(p.path)}`);
  return problems.filter((_, i) => places.indexOf(places[i] ?? "") === i);
}

/** Uses of a name are mended with its declaration: they are counted there. */
function withoutUses(problems: readonly Problem[], value: unknown): Problem[] {
  const isUse = (p: Problem, of: Problem): boolean =>
    p.at === "value" && p.expected === of.expected && at(value, p.path) === of.path.at(-1);
  const declared = problems.filter((p) => p.at === "key");
  return problems.flatMap((p) => {
    if (declared.some((d) => isUse(p, d))) return [];
    const uses = p.at === "key" ? problems.filter((u) => isUse(u, p)).length : 0;
    if (uses === 0) return [p];
    const elsewhere = uses === 1 ? "1 other place" : `${uses} other places`;
    return [{ ...p, message: `${p.message}, nor in ${elsewhere}` }];
  });
}

function explainOne(issue: Issue, base: DocumentPath, root: unknown, schema: Schema): Problem[] {
  const path = [...base, ...issue.path.map((k) => (typeof k === "number" ? k : String(k)))];
  const found = at(root, path);
  const node = schemaAt(schema, path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey(path, key, found, node));
    case "invalid_key": {
      const name = String(path.at(-1));
      const expected = issue.issues[0]?.message ?? "a name";
      const names = schemaAt(schema, path.slice(0, -1))?.propertyNames;
      return [wrongKey(path, `${quoted(name)} cannot be a name here`, expected, tidy(name, names))];
    }
    case "invalid_union":
      return union(issue, path, root, schema);
    case "invalid_type":
      if (found === undefined) return [missing(path, node)];
      return [wrong(path, `${label(path)} is ${kind(found)}`, words(node), respelled(found, node))];
    case "invalid_value": {
      const valid = issue.values.map(String);
      const message = `${quoted(found)} is not known here`;
      return [wrong(path, message, oneOf(valid), meantBy(found, valid))];
    }
    case "too_small":
    case "too_big": {
      const own = /^Too (small|big)/.test(issue.message) ? words(node) : issue.message;
      return [wrong(path, `${label(path)} is ${quoted(found)}`, own)];
    }
    default: {
      const near = typeof found === "string" && isName(path) ? tidy(found, node) : null;
      return [wrong(path, `${quoted(found)} cannot stand here`, issue.message, near)];
    }
  }
}

/** The branch that was meant is the one whose outer type fits the value. */
function union(
  issue: Extract<Issue, { code: "invalid_union" }>,
  path: DocumentPath,
  root: unknown,
  schema: Schema,
): Problem[] {
  const meant = issue.errors.find(
    (branch) => !branch.some((i) => i.code === "invalid_type" && i.path.length === 0),
  );
  if (meant) return meant.flatMap((i) => explainOne(i, path, root, schema));
  const [found, node] = [at(root, path), schemaAt(schema, path)];
  if (found === undefined) return [missing(path, node)];
  return [wrong(path, `${label(path)} is ${kind(found)}`, words(node), respelled(found, node))];
}

function unknownKey(path: DocumentPath, key: string, found: unknown, node: Schema | null): Problem {
  const valid = Object.keys(branchFor(node, found)?.properties ?? {});
  const free = valid.filter((k) => at(found, [k]) === undefined);
  return wrongKey([...path, key], `unknown key ${quoted(key)}`, oneOf(valid), nearest(key, free));
}

function missing(path: DocumentPath, node: Schema | null): Problem {
  return wrongKey(path, `${label(path)} is missing`, `${label(path)}: ${words(node)}`);
}

/** What a value of this schema looks like, in words. */
function words(node: Schema | null): string {
  if (node === null) return "another value";
  const about = node.description === undefined ? "" : ` (${node.description})`;
  return `${form(node)}${about}`;
}

function form(node: Schema): string {
  if (node.enum) return oneOf(node.enum.map(String));
  if (node.anyOf) return node.anyOf.map((n) => form(n)).join(" or ");
  switch (node.type) {
    case "string":
      return lengths(node);
    case "integer":
      return range(node);
    case "boolean":
      return "true or false";
    case "array":
      return `a list of ${isSchema(node.items) ? form(node.items) : "values"}`;
    default:
      return node.properties
        ? `a mapping with ${(node.required ?? Object.keys(node.properties)).join(", ")}`
        : "a mapping of names";
  }
}

function lengths(node: Schema): string {
  return node.maxLength === undefined ? "a text" : `a text of at most ${node.maxLength} characters`;
}

function range({ minimum, maximum }: Schema): string {
  const low = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? null : minimum;
  const high = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? null : maximum;
  const from = low === null ? "" : ` from ${low}`;
  return `a whole number${from}${high === null ? "" : ` to ${high}`}`;
}

function kind(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value === "string") return `the text ${quoted(value)}`;
  return typeof value === "boolean" ? `the boolean ${value}` : `the number ${value}`;
}

function oneOf(valid: readonly string[]): string {
  return `one of ${valid.map((w) => (/^\w/.test(w) ? w : quoted(w))).join(", ")}`;
}

/** The valid word that a text was meant for; signs of one character are not words. */
function meantBy(found: unknown, valid: readonly string[]): string | null {
  if (typeof found !== "string" || found.length < 2) return null;
  const lower = found.toLowerCase();
  const names = valid.filter((v) => v.length > 1);
  const part = names.find((v) => v.startsWith(lower) || lower.startsWith(v));
  return nearest(found, names) ?? part ?? null;
}

/**
 * The same scalar in the spelling that the schema takes: 400 for "400", true for yes, "7" for 7.
 */
function respelled(value: unknown, node: Schema | null): string | null {
  const types = (node?.anyOf ?? [node]).map((n) => (n === null ? undefined : n.type));
  if (typeof value === "string") {
    if (types.includes("integer") && /^-?(0|[1-9]\d{0,14})$/.test(value)) return value;
    if (types.includes("boolean") && /^(yes|on|y)$/i.test(value)) return "true";
    if (types.includes("boolean") && /^(no|off|n)$/i.test(value)) return "false";
  }
  if (
    types.includes("string") &&
    !types.includes("object") &&
    (typeof value === "boolean" || Number.isInteger(value))
  )
    return JSON.stringify(String(value));
  return null;
}

/** A name made valid by case and signs alone, or null when that is not enough. */
function tidy(name: string, node: unknown): string | null {
  if (!isSchema(node) || node.pattern === undefined) return null;
  const pattern = new RegExp(node.pattern);
  const lower = name.trim().toLowerCase();
  const candidates = ["_", "-"].map((sign) =>
    lower.replace(/[^a-z0-9.]+/g, sign).replace(/[_-]+$/, ""),
  );
  return candidates.find((c) => c !== name && pattern.test(c)) ?? null;
}

function isName(path: DocumentPath): boolean {
  return path.at(-1) === "job" || path.at(-1) === "name";
}

function label(path: DocumentPath): string {
  const last = path.at(-1);
  if (last === undefined) return "the document";
  return typeof last === "number" ? `item ${last + 1} of ${label(path.slice(0, -1))}` : last;
}

function spot(path: DocumentPath): string {
  return JSON.stringify(path);
}

/** The value at a path, undefined where there is none. */
export function at(value: unknown, path: DocumentPath): unknown {
  return path.reduce<unknown>((v, key) => {
    if (typeof v !== "object" || v === null || !Object.hasOwn(v, key)) return undefined;
    return Reflect.get(v, key);
  }, value);
}

function schemaAt(schema: Schema, path: DocumentPath): Schema | null {
  let node: Schema | null = schema;
  for (const key of path) {
    node = branchFor(node, typeof key === "number" ? [] : {});
    const next: unknown =
      typeof key === "number"
        ? node?.items
        : node?.properties && Object.hasOwn(node.properties, key)
          ? node.properties[key]
          : node?.additionalProperties;
    node = isSchema(next) ? next : null;
  }
  return node;
}

function isSchema(node: unknown): node is Schema {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}

/** Of alternatives, the one for a value of this outer type. */
function branchFor(node: Schema | null, value: unknown): Schema | null {
  const type = Array.isArray(value) ? "array" : typeof value;
  return node?.anyOf?.find((n) => n.type === type) ?? node;
}
