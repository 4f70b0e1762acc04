import { readdirSync, readFileSync } from "node:fs";

/** The text files of an example by their names relative to its folder. */
export type Example = ReadonlyMap<string, string>;

export function exampleIn(folder: string): Example {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`)
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]),
  );
}

/** The text of a file that an example's kind needs. */
export function textIn(example: Example, name: string): string {
  const text = example.get(name);
  if (text === undefined) throw new Error(`an example of this kind has a file ${name}`);
  return text;
}
