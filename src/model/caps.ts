import { TieoutError } from "./errors.js";

/**
 * What bounds an answer (I006). `least` is where one row, its column and the counts still fit, so
 * that an answer is never empty for want of room. Tokens are estimated (estimate.ts) and bytes are
 * UTF-8, both over the whole serialised answer; a cell is counted in Unicode code points.
 */
export const CAPS = {
  rows: { default: 20, least: 1, most: 200 },
  groups: { default: 50, least: 1, most: 200 },
  tokens: { default: 2_000, least: 900, most: 8_000 },
  bytes: { default: 16_384, least: 4_096, most: 65_536 },
  cell: { default: 200, least: 16, most: 2_000 },
  columns: { default: 40, least: 1, most: 200 },
} as const;

export type Caps = { readonly [K in keyof typeof CAPS]: number };

/** The caps in force: the defaults, and what is configured instead. @throws CONFIG_INVALID */
export function capsOf(configured: Partial<Caps> = {}): Caps {
  const cap = (name: keyof Caps): number => {
    const { default: usual, least, most } = CAPS[name];
    const value = configured[name] ?? usual;
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
    throw new TieoutError("CONFIG_INVALID", {
      subject: `cap on ${name}`,
      cause: "the cap is not a whole number within its limits",
      remedy: `set it between ${least} and ${most}`,
    });
  };
  return {
    rows: cap("rows"),
    groups: cap("groups"),
    tokens: cap("tokens"),
    bytes: cap("bytes"),
    cell: cap("cell"),
    columns: cap("columns"),
  };
}
