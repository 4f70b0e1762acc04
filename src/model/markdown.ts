/**
 * Text out of data as markdown that shows it and nothing else: one line, no markup, no control
 * signs.
 */
export function cellText(text: string): string {
  return text
    .replace(/[\\`*[\]<>|#~$]|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/gu, (c) => {
      const code = c.codePointAt(0) ?? 0;
      return `\\\\u${code.toString(16).padStart(4, "0")}`;
    });
}

/** A table; header and cells are escaped here. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellText).join(" | ")} |`;
  return [line(header), `|${" --- |".repeat(header.length)}`, ...rows.map(line)].join("\n");
}
