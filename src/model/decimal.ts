/**
 * An exact decimal: `units` counted in 10^-scale, scale from 0. Amounts that are worked on outside
 * an engine go through here, from text to text, so that no float touches them (I009).
 */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/**
 * A decimal's text `[-]digits[.digits]`, scale kept; null for anything else, exponents included.
 */
export function parseDecimal(text: string): Decimal | null {
  const m = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!m) return null;
  const fraction = m[3] ?? "";
  const digits = BigInt(`${m[2]}${fraction}`);
  return { units: m[1] === "-" ? -digits : digits, scale: fraction.length };
}

/** Canonical text: all digits of the scale, no sign on zero, no leading zeros, no grouping. */
export function decimalText({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const sign = units < 0n ? "-" : "";
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The sum, at the wider of both scales. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

/**
 * Negative, zero or positive as `a` is less than, equal to or greater than `b`, whatever their
 * scales.
 */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [unitsAt(a, scale), unitsAt(b, scale)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The same number at another scale; digits that do not fit are rounded half to even. */
export function rescale(a: Decimal, scale: number): Decimal {
  if (scale >= a.scale) return { units: unitsAt(a, scale), scale };
  return { units: divideHalfEven(a.units, 10n ** BigInt(a.scale - scale)), scale };
}

/** `a` over a count of at least 1, rounded half to even at `scale`. */
export function divideDecimal(a: Decimal, count: bigint, scale: number): Decimal {
  const up = BigInt(Math.max(0, scale - a.scale));
  const down = BigInt(Math.max(0, a.scale - scale));
  return { units: divideHalfEven(a.units * 10n ** up, count * 10n ** down), scale };
}

function unitsAt(a: Decimal, scale: number): bigint {
  return a.units * 10n ** BigInt(scale - a.scale);
}

/** `by` is positive. */
function divideHalfEven(units: bigint, by: bigint): bigint {
  const negative = units < 0n;
  const size = negative ? -units : units;
  const [whole, twice] = [size / by, (size % by) * 2n];
  const up = twice > by || (twice === by && whole % 2n === 1n);
  const rounded = up ? whole + 1n : whole;
  return negative ? -rounded : rounded;
}
