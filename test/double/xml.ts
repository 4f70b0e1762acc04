/** Elements as XML: text is escaped, a list repeats its element, null leaves it out. */
export type Xml =
  | string
  | number
  | boolean
  | null
  | readonly Xml[]
  | { readonly [name: string]: Xml };

export function xml(root: string, content: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content)}`;
}

function element(name: string, content: Xml): string {
  if (content === null) return "";
  if (isList(content)) return content.map((c) => element(name, c)).join("");
  const inner =
    typeof content === "object"
      ? Object.entries(content)
          .map(([n, c]) => element(n, c))
          .join("")
      : escaped(String(content));
  return `<${name}>${inner}</${name}>`;
}

function isList(content: Xml): content is readonly Xml[] {
  return Array.isArray(content);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** The text of the first element of a name; null when there is none. Enough for our own requests. */
export function textOf(document: string, name: string): string | null {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(document)?.[1] ?? null;
}
