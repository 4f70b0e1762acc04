import { MARK } from "./duckdb-errors.js";

/**
 * `money_div(a, b, scale)` as macros: a / b rounded half to even at `scale` (0 to 10), a DECIMAL of
 * that scale. Both values are counted in 10^-10, so the quotient is worked out on whole numbers: no
 * float, no rounding but the last one. A null gives null; b = 0, more than 10 decimals and a result
 * of more than 27 digits are errors.
 */
export const MONEY_DIV: readonly string[] = [
  `CREATE MACRO __units(x) AS CASE WHEN CAST(x AS DECIMAL(38,10)) <> x THEN error('${MARK.digits}')
    ELSE CAST(trunc(CAST(x AS DECIMAL(38,10))) AS HUGEINT) * 10000000000 + CAST(
      (CAST(x AS DECIMAL(38,10)) - trunc(CAST(x AS DECIMAL(38,10)))) * 10000000000 AS HUGEINT) END`,
  `CREATE MACRO __half_even(n, d) AS CASE WHEN d = 0 THEN error('${MARK.zero}')
    ELSE n // d + CASE
      WHEN abs(n % d) > abs(d) - abs(n % d)
        OR (abs(n % d) = abs(d) - abs(n % d) AND (n // d) % 2 <> 0)
      THEN CASE WHEN (n < 0) = (d < 0) THEN 1 ELSE -1 END ELSE 0 END END`,
  `CREATE MACRO __power(scale) AS CASE scale ${cases((s) => `${10n ** BigInt(s)}::HUGEINT`)} END`,
  `CREATE MACRO __fraction(scale) AS CASE scale ${cases((s) => `${tenth(s)}::DECIMAL(11,10)`)} END`,
  `CREATE MACRO money_div(a, b, scale) AS round(
    CAST(__half_even(__units(a) * __power(scale), __units(b)) AS DECIMAL(27,0))
      * __fraction(scale), scale)`,
];

function cases(value: (scale: number) => string): string {
  return Array.from({ length: 11 }, (_, s) => `WHEN ${s} THEN ${value(s)}`).join(" ");
}

function tenth(scale: number): string {
  return scale === 0 ? "1" : `0.${"0".repeat(scale - 1)}1`;
}
