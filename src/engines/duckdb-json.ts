const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARKED = /"\\u0000(-?[\d.eE+-]+)"/g;

/**
 * A JSON text as a value in which a number that a double cannot hold is a marked text: DuckDB's
 * trees hold numbers of 64 bits and more, and an amount's digits are among them (I009).
 * `printTree` gives the same text again, white space apart.
 * The text must not hold the mark itself, the escape of NUL.
 */
export function parseTree(text: string): unknown {
  const kept = text.replace(TOKENS, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"\\u0000${token}"`,
  );
  return JSON.parse(kept);
}

export function printTree(tree: unknown): string {
  return JSON.stringify(tree).replace(MARKED, (_, digits: string) => digits);
}
