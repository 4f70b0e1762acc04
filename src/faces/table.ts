/** Text in columns: two spaces between them, numbers to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, i) => Math.max(...all.map((row) => width(row[i] ?? ""))));
  const right = header.map((_, i) => rows.length > 0 && rows.every((r) => NUMBER.test(r[i] ?? "")));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => pad(cell, widths[i] ?? 0, right[i] ?? false))
      .join("  ")
      .trimEnd();
  return all.map((row) => `${line(row)}\n`).join("");
}

const NUMBER = /^-?[\d.,]*$/;

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

export function sized(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, bytes === 0 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}
