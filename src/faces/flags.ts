import { z } from "zod";
import type { AnyOperation } from "../operations.js";

/** One input of an operation as the command line takes it. */
export interface Flag {
  /** The input's own name, `as_of`. */
  readonly field: string;
  /** `--as-of <text>`; a switch has no value. */
  readonly flags: string;
  readonly says: string;
  readonly required: boolean;
  readonly positional: boolean;
  /** Text of the command line → the value that the operation's schema judges. */
  readonly read: (text: string | boolean, before: unknown) => unknown;
}

/** The flags of an operation, derived from its schema: positional ones first, in their order. */
export function flagsOf(op: AnyOperation): Flag[] {
  const schema = z.toJSONSchema(op.input, { io: "input", unrepresentable: "any" });
  const properties = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required ?? []);
  const flags = properties.map(([field, property]) => {
    const shape = typeof property === "object" ? property : {};
    const kind = kindOf(field, shape.type);
    const dashed = field.replaceAll("_", "-");
    const short = dashed.length === 1 ? `-${dashed}, ` : "";
    return {
      field,
      flags: `${short}--${dashed}${kind.value === "" ? "" : ` <${kind.value}>`}`,
      says: shape.description ?? "",
      required: required.has(field),
      positional: op.positional.includes(field),
      read: kind.read,
    };
  });
  const place = (f: Flag) => (f.positional ? op.positional.indexOf(f.field) : op.positional.length);
  return flags.sort((a, b) => place(a) - place(b));
}

interface Kind {
  readonly value: string;
  readonly read: Flag["read"];
}

const NUMBER: Kind = {
  value: "n",
  read: (text) => (/^-?\d+$/.test(`${text}`) ? Number(text) : text),
};
const SWITCH: Kind = { value: "", read: (text) => text };
const LIST: Kind = { value: "a,b", read: (text) => `${text}`.split(",") };
const TEXT: Kind = { value: "text", read: (text) => text };
const CONDITIONS: Kind = {
  value: "condition",
  read: (text, before) => [...(Array.isArray(before) ? before : []), conditionOf(`${text}`)],
};

function kindOf(field: string, type: unknown): Kind {
  if (field === "all") return CONDITIONS;
  if (type === "integer" || type === "number") return NUMBER;
  if (type === "boolean") return SWITCH;
  return type === "array" ? LIST : TEXT;
}

const MANY = new Set(["in", "between"]);

/**
 * `delta gt 100`, `status in new|persistent`, `note is_null`: column, operator, value. What follows
 * the operator is the value as it stands, spaces included; `|` separates the values of in and
 * between.
 */
function conditionOf(text: string): Record<string, unknown> {
  const m = /^\s*(\S+)\s+(\S+)(?:\s(.*))?$/s.exec(text);
  if (m === null) return { column: text };
  const [, column, op = "", value] = m;
  if (value === undefined) return { column, op };
  return MANY.has(op) ? { column, op, values: value.split("|") } : { column, op, value };
}
