import { z } from "zod";
import { ColumnName } from "./ids.js";
import { scaleOf } from "./money.js";

/** A column's type as it is stored and computed with; made from the user's words by `typeOf`. */
export type ColumnType =
  | { readonly kind: "text" | "integer" | "date" | "boolean" }
  | { readonly kind: "decimal"; readonly precision: number; readonly scale: number }
  | {
      readonly kind: "money";
      readonly currency: string;
      readonly precision: number;
      readonly scale: number;
    }
  | {
      readonly kind: "money_by";
      readonly by: ColumnName;
      readonly precision: number;
      readonly scale: number;
    }
  | { readonly kind: "timestamp"; readonly zone: string };

/** Money holds 18 digits: 10^16 units of a two-decimal currency; more is decimal(28,2). */
const MONEY_DIGITS = 18;
/** The widest that can be summed 10^10 times: an engine's sums of 38 digits can wrap. */
export const WIDEST_DECIMAL = 28;
const MONEY_BY = { precision: 22, scale: 4 } as const; // no currency has more than 4 decimals

/** The forms of a type, for people. */
export const TYPE_FORMS =
  "text, integer, decimal(p,s), money(CUR), money(by column), date, timestamp, " +
  "timestamp(zone) or boolean";

/** A type in the user's words, in its canonical spelling: `money(USD)`, `decimal(12,4)`. */
export const TypeText = z.string().transform((s, ctx) => {
  const t = readType(s);
  if (typeof t !== "string") return typeText(t);
  ctx.addIssue({ code: "custom", message: t });
  return z.NEVER;
});
export type TypeText = string;

export const Column = z.object({ name: ColumnName, type: z.string() });
export type Column = z.infer<typeof Column>;

/** The structure of a type already validated. @throws Error when the text was never validated. */
export function typeOf(text: TypeText): ColumnType {
  const t = readType(text);
  if (typeof t === "string") throw new Error(`${text}: ${t}`);
  return t;
}

export function typeText(t: ColumnType): TypeText {
  switch (t.kind) {
    case "decimal":
      return `decimal(${t.precision},${t.scale})`;
    case "money":
      return `money(${t.currency})`;
    case "money_by":
      return `money(by ${t.by})`;
    case "timestamp":
      return t.zone === "UTC" ? "timestamp" : `timestamp(${t.zone})`;
    default:
      return t.kind;
  }
}

export function isNumeric(t: ColumnType): boolean {
  return t.kind === "integer" || isExactDecimal(t);
}
export function isMoney(t: ColumnType): boolean {
  return t.kind === "money" || t.kind === "money_by";
}
export function isExactDecimal(t: ColumnType): t is Extract<ColumnType, { precision: number }> {
  return t.kind === "decimal" || isMoney(t);
}

/** The type, or the sentence that says what was expected. */
export function readType(text: string): ColumnType | string {
  const s = text.trim().replace(/\s+/g, " ");
  if (s === "text" || s === "integer" || s === "date" || s === "boolean") return { kind: s };
  if (s === "timestamp") return { kind: "timestamp", zone: "UTC" };
  const zone = /^timestamp\( ?([A-Za-z0-9_+\-/]+) ?\)$/.exec(s)?.[1];
  if (zone)
    return isZone(zone)
      ? { kind: "timestamp", zone }
      : `unknown time zone ${zone}: use an IANA name such as Europe/Paris or UTC`;
  const dec = /^decimal\( ?(\d+) ?, ?(\d+) ?\)$/.exec(s);
  if (dec) {
    const [precision, scale] = [Number(dec[1]), Number(dec[2])];
    return precision >= 1 && precision <= WIDEST_DECIMAL && scale <= precision
      ? { kind: "decimal", precision, scale }
      : `decimal(p,s) needs 1 <= p <= ${WIDEST_DECIMAL} and 0 <= s <= p`;
  }
  const by = /^money\( ?by ([a-z_][a-z0-9_]{0,62}) ?\)$/.exec(s)?.[1];
  if (by) return { kind: "money_by", by: by as ColumnName, ...MONEY_BY };
  const cur = /^money\( ?([A-Za-z]+) ?\)$/.exec(s)?.[1];
  if (cur) {
    const scale = scaleOf(cur);
    return scale === null
      ? `unknown currency ${cur}: use its ISO 4217 code in capitals, such as USD`
      : { kind: "money", currency: cur, precision: MONEY_DIGITS, scale };
  }
  return `a type is ${TYPE_FORMS}`;
}

/** Whether a text names a time zone of the IANA database. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
