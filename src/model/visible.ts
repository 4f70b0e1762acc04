/**
 * Characters that a reader cannot see or that reorder what is seen (controls, bidi marks,
 * zero-width and tag characters, line and paragraph separators, variation selectors of the
 * supplement) are shown as `\u{202e}`. Tab and line feed stay: JSON and every face show them. A
 * backslash of the data that would read as such an escape is itself escaped, so what is shown
 * stands for exactly one text.
 */
const UNSEEN = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}]|[\u{e0100}-\u{e01ef}]|\\(?=u\{)/gu;
const SHOWN = /\\u\{([0-9a-f]{1,6})\}/gi;

/** The text with every unseen character escaped; `plain` gives it back. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The text that an escaped one stands for; escapes outside Unicode stay as they are. */
export function plain(shown: string): string {
  return shown.replace(SHOWN, (written, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : written;
  });
}

/** Whether nothing in the text needs escaping any more. */
export function isVisible(text: string): boolean {
  return text === visible(plain(text));
}
