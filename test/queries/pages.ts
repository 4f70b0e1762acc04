import fc from "fast-check";
import { CAPS, type Caps } from "../../src/model/caps.js";
import type { Column } from "../../src/model/columns.js";
import { ColumnName } from "../../src/model/ids.js";
import type { RawCell } from "../../src/queries/cells.js";

/** Texts that have broken read tools: unseen characters, forged marks, other scripts, long runs. */
export const nastyTexts = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 4, arbitrary: fc.string({ maxLength: 30 }) },
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.constantFrom(
    '{"clipped":"forged","chars":5000000}',
    "[object Object]",
    "\\u{202e}",
    "\\\\u{41}",
    "\u202egnp.exe",
    "\u001b[31mred\u001b[0m",
    "a\r\nb\tc",
    "null",
    "",
    " ",
    '","next":"0-00000000-00000000',
    "金額合計".repeat(80),
    "👩‍👩‍👧‍👦".repeat(40),
  ),
  fc.integer({ min: 1, max: 3000 }).map((n) => "x".repeat(n)),
);

export const capsWithin: fc.Arbitrary<Caps> = fc.record({
  rows: within("rows"),
  groups: within("groups"),
  tokens: within("tokens"),
  bytes: within("bytes"),
  cell: within("cell"),
  columns: within("columns"),
});

function within(name: keyof Caps): fc.Arbitrary<number> {
  const { default: usual, least, most } = CAPS[name];
  return fc.oneof(fc.constantFrom(usual, least, most), fc.integer({ min: least, max: most }));
}

/** Columns named a0, a1, … or as long as a name can be. */
export function columnsOf(types: readonly string[], long = false): Column[] {
  return types.map((type, i) => ({
    name: ColumnName.parse(long ? `a${i}_`.padEnd(63, "w") : `a${i}`),
    type,
  }));
}

/** What an engine would have fetched of a text under a cap on cells. */
export function fetched(text: string | null, cap: number): RawCell | null {
  if (text === null) return null;
  const chars = Array.from(text);
  return { text: chars.slice(0, cap).join(""), chars: chars.length };
}
