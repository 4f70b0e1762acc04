/**
 * What a text costs a model, without a tokenizer: an upper estimate by character class, chosen so
 * that it never under-counted any of three byte-level tokenizers on random text (finance data is
 * about 1.7 times over, English 3 times). Kept in tenths of a token so that sums of parts are
 * exact.
 */
const SPACE = 5;
const LETTER_OR_DIGIT = 8;
const OTHER_ASCII = 10;

/** Tenths of a token; additive: the tenths of a concatenation are the sum of the parts'. */
export function tokenTenths(text: string): number {
  let tenths = 0;
  for (const char of text) tenths += tenthsOf(char.codePointAt(0) ?? 0);
  return tenths;
}

/** Tokens that a text costs at most, estimated; 0 for the empty text. */
export function estimateTokens(text: string): number {
  return Math.ceil(tokenTenths(text) / 10);
}

function tenthsOf(code: number): number {
  if (code === 0x20) return SPACE;
  if (code < 0x80) return isLetterOrDigit(code) ? LETTER_OR_DIGIT : OTHER_ASCII;
  if (code < 0x800) return 20;
  return code < 0x10000 ? 30 : 40;
}

function isLetterOrDigit(code: number): boolean {
  const lower = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}
