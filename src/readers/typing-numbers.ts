import type { ColumnType } from "../model/columns.js";
import type { InputColumnSpec } from "../model/job.js";
import { CURRENCIES } from "../model/money.js";
import { type Misfit, spaced, type Typing } from "./misfits.js";

interface Digits {
  readonly precision: number;
  readonly scale: number;
}

/**
 * Exact decimals from text. An engine's cast rounds 1.005 and reads 1_000, 1e3, " 5" and +5; so a
 * value counts only when it prints as the text it came from, or when the text has the declared form
 * with no more decimals than the scale, trailing zeros apart. What is then still null is out of
 * range.
 */
export function typeNumber(
  type: ColumnType,
  { precision, scale }: Digits,
  spec: InputColumnSpec,
  text: string,
  currency: string | null,
): Typing {
  const native = type.kind === "integer" ? "BIGINT" : `DECIMAL(${precision},${scale})`;
  const form = formOf(spec, type, scale);
  const attempt = `TRY_CAST(${normalised(spec, text)} AS ${native})`;
  const fits = `regexp_full_match(${text}, '${form.fitting}')`;
  const whole = precision - scale;
  return {
    attempt,
    value: (v) => {
      const money = currency === null ? v : `CASE WHEN ${inCurrency(v, currency)} THEN ${v} END`;
      const printed = prints(v, spec, text, type);
      return `CASE WHEN ${printed} THEN ${money} WHEN ${fits} THEN ${money} END`;
    },
    misfits: [
      spaced(text, "NOT_A_NUMBER"),
      ...(type.kind === "integer" ? [zeroed(text)] : []),
      {
        when: `regexp_full_match(${text}, '${form.any}') AND NOT ${fits}`,
        code: "TOO_MANY_DECIMALS",
        reason: `it has more than ${scale} decimals`,
      },
      ...(currency === null ? [] : inNoCurrency(currency, `${fits} AND ${attempt} IS NOT NULL`)),
      {
        when: fits,
        code: "OUT_OF_RANGE",
        reason:
          type.kind === "integer"
            ? "it is beyond 64 bits"
            : `it has more than ${whole} digits before the decimal sign`,
      },
      { when: "true", code: "NOT_A_NUMBER", reason: `it is not ${form.described}` },
    ],
  };
}

interface Form {
  /** Regular expressions of the whole text: with decimals that fit, and with any. */
  readonly fitting: string;
  readonly any: string;
  readonly described: string;
}

/** An id such as 013 would lose its zeros, and with them what it names. */
function zeroed(text: string): Misfit {
  return {
    when: `regexp_matches(${text}, '^[-(]?0\\d')`,
    code: "LEADING_ZERO",
    reason: "it starts with a zero that an integer loses; declare the column text if it is an id",
  };
}

function formOf(spec: InputColumnSpec, type: ColumnType, scale: number): Form {
  const { decimal = ".", thousands, negative = "minus" } = spec;
  const point = decimal === "." ? "\\." : decimal;
  const group = thousands === "." ? "\\." : thousands?.replaceAll("'", "''");
  const bare = type.kind === "integer" ? "(?:0|[1-9]\\d*)" : "\\d+";
  const first = type.kind === "integer" ? "[1-9]\\d{0,2}" : "\\d{1,3}";
  const whole = group === undefined ? bare : `(?:${bare}|${first}(?:${group}\\d{3})+)`;
  const signed = (fraction: string): string => {
    const pointed = scale > 0 ? `|${point}${fraction}` : "";
    const body = `(?:${whole}(?:${point}${fraction})?${pointed})`;
    if (negative === "brackets") return `-?${body}|\\(${body}\\)`;
    return negative === "trailing_minus" ? `-?${body}|${body}-` : `-?${body}`;
  };
  const example = `1${thousands ?? ""}234${scale > 0 ? `${decimal}${"5".repeat(scale)}` : ""}`;
  const sign = { minus: "", brackets: " or in ( )", trailing_minus: " or with a - behind" }[
    negative
  ];
  return {
    fitting: signed(scale > 0 ? `\\d{1,${scale}}0*` : "0+"),
    any: signed("\\d+"),
    described: `a number such as ${example} or -${example}${sign}`,
  };
}

/** The text with a decimal point, a leading minus and no grouping. */
function normalised(spec: InputColumnSpec, text: string): string {
  const { decimal = ".", thousands, negative = "minus" } = spec;
  let sql = text;
  if (thousands !== undefined) sql = `replace(${sql}, '${thousands.replaceAll("'", "''")}', '')`;
  if (decimal === ",") sql = `replace(${sql}, ',', '.')`;
  if (negative === "brackets")
    return `CASE WHEN starts_with(${text}, '(') THEN '-' || ${sql}[2:-2] ELSE ${sql} END`;
  if (negative === "trailing_minus")
    return `CASE WHEN ends_with(${text}, '-') THEN '-' || ${sql}[:-2] ELSE ${sql} END`;
  return sql;
}

/**
 * True where the value prints as the text: the common case, and cheaper than a regular expression.
 */
function prints(value: string, spec: InputColumnSpec, text: string, type: ColumnType): string {
  const printed = `CAST(${value} AS VARCHAR)`;
  // A column of several currencies holds four decimals, and most currencies have two.
  const padded = type.kind === "money_by" ? `${text} || '00'` : text;
  return spec.decimal === ","
    ? `replace(${printed}, '.', ',') = ${padded}`
    : `${printed} = ${padded}`;
}

const KNOWN = [...CURRENCIES.keys()].join("|");
const SCALES = [...new Set(CURRENCIES.values())].map((scale) => {
  const codes = [...CURRENCIES].filter(([, s]) => s === scale).map(([code]) => code);
  return { scale, codes: codes.join("|") };
});

/** True where the row's currency is known and has at least the value's decimals. */
function inCurrency(value: string, currency: string): string {
  const scales = SCALES.map(
    ({ scale, codes }) =>
      `WHEN regexp_full_match(${currency}, '${codes}') THEN round(${value}, ${scale}) = ${value}`,
  );
  return `CASE ${scales.join(" ")} END`;
}

function inNoCurrency(currency: string, number: string): Misfit[] {
  return [
    {
      when: `NOT regexp_full_match(${currency}, '${KNOWN}')`,
      code: "UNKNOWN_CURRENCY",
      reason: "its row's currency is not a code of ISO 4217",
    },
    {
      when: number,
      code: "TOO_MANY_DECIMALS",
      reason: "it has more decimals than its row's currency",
    },
  ];
}
