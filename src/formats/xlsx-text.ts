/**
 * Text in a workbook's XML. What XML cannot hold is written `_xHHHH_` (ECMA-376, ST_Xstring), and
 * an underscore that could begin such a sign is written so too; so is a carriage return, which XML
 * would turn into a line feed.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSAFE = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4})/g;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const WRITTEN = /&(amp|lt|gt);|_x([0-9A-F]{4})_/g;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">" };

export function xmlText(text: string): string {
  return text.replace(
    UNSAFE,
    (c) => ENTITIES[c] ?? `_x${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
  );
}

/** The text that `xmlText` wrote. */
export function textOfXml(xml: string): string {
  return xml.replace(WRITTEN, (_, name?: string, hex?: string) =>
    name === undefined ? String.fromCharCode(Number.parseInt(hex ?? "", 16)) : (NAMED[name] ?? ""),
  );
}

/** `A`, `Z`, `AA` … for a column counted from 0. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  const last = String.fromCharCode(65 + (index % 26));
  return rest === 0 ? last : columnLetters(rest - 1) + last;
}
