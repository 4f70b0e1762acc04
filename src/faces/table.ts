/** Past this many columns a cell moves the rest of its own row, and pads no other. */
const WIDEST = 60;

/**
 * Text in columns: two spaces between them, numbers to the right. A row is always one line: a line
 * break or tab within a cell is shown as its escape.
 */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows].map((row) => row.map(onOneLine));
  const widths = header.map((_, i) =>
    Math.max(...all.map((row) => Math.min(width(row[i] ?? ""), WIDEST))),
  );
  const right = header.map((_, i) => rows.length > 0 && rows.every((r) => NUMBER.test(r[i] ?? "")));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => pad(cell, widths[i] ?? 0, right[i] ?? false))
      .join("  ")
      .trimEnd();
  return all.map((row) => `${line(row)}\n`).join("");
}

const NUMBER = /^-?[\d.,]*$/;

/** As `visible` escapes: what is shown stands for exactly one text. */
function onOneLine(cell: string): string {
  return cell.replace(/[\t\n\r]/g, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`);
}

function pad(cell: string, to: number, right: boolean): string {
  const fill = " ".repeat(Math.max(0, to - width(cell)));
  return right ? fill + cell : cell + fill;
}

/** Code points stand for columns: near enough for a terminal. */
function width(text: string): number {
  return [...text].length;
}

/** `6412` → `6,412`, for counts only; an amount is shown as it is. */
export function counted(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `90567` → `90.6 kB`: whole bytes below a thousand, else one decimal, rounded down. */
export function sized(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let power = 0;
  let tenths = bytes * 10;
  for (; tenths >= 10_000 && power < units.length - 1; power++) tenths = Math.floor(tenths / 1000);
  const whole = Math.floor(tenths / 10);
  return power === 0 ? `${bytes} B` : `${whole}.${tenths % 10} ${units[power]}`;
}

/** Names and values under each other; those without a value are left out. */
export function fields(pairs: readonly (readonly [string, string | null | undefined])[]): string {
  const there = pairs.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  const width = Math.max(...there.map(([name]) => name.length));
  return there.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join("");
}
