import type { Dialect } from "../dialects/dialect.js";
import type { ColumnType } from "../model/columns.js";
import { isExactDecimal, typeText } from "../model/columns.js";
import { parseDecimal } from "../model/decimal.js";
import { AsOf } from "../model/ids.js";

/** A value as a job writes it in a check. */
export type Scalar = string | number | boolean;

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?Z?$/;

/**
 * Null when the value fits the type exactly, else the sentence that says what was expected.
 * Decimals with more decimals or digits than the type are refused, never rounded; timestamps are in
 * UTC.
 */
export function literalProblem(value: Scalar, type: ColumnType): string | null {
  const text = String(value);
  if (fits(value, text, type)) return null;
  return `${JSON.stringify(value)} is not a ${typeText(type)}: ${expected(type)}`;
}

function fits(value: Scalar, text: string, type: ColumnType): boolean {
  if (type.kind === "boolean") return typeof value === "boolean";
  if (typeof value === "boolean") return false;
  if (type.kind === "text") return typeof value === "string" && !text.includes("\0");
  if (type.kind === "date") return AsOf.safeParse(text).success;
  if (type.kind === "timestamp") return AsOf.safeParse(TIMESTAMP.exec(text)?.[1]).success;
  const d = parseDecimal(text);
  if (d === null) return false;
  if (!isExactDecimal(type)) return d.scale === 0 && BigInt.asIntN(64, d.units) === d.units;
  const size = d.units < 0n ? -d.units : d.units;
  const room = 10n ** BigInt(type.precision - type.scale + d.scale);
  return d.scale <= type.scale && size < room;
}

function expected(type: ColumnType): string {
  switch (type.kind) {
    case "boolean":
      return "write true or false without quotes";
    case "text":
      return "write it in quotes, without U+0000";
    case "date":
      return "write YYYY-MM-DD";
    case "timestamp":
      return "write YYYY-MM-DDTHH:MM:SSZ, in UTC";
    case "integer":
      return "write digits without grouping";
    default:
      return `write at most ${type.precision} digits, ${type.scale} of them decimals, in quotes`;
  }
}

/** A checked value as a typed SQL literal. Precondition: `literalProblem` is null. */
export function literal(value: Scalar, type: ColumnType, d: Dialect): string {
  return `CAST(${d.text(String(value))} AS ${d.type(type)})`;
}
