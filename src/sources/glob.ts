import { TieoutError } from "../model/errors.js";

/**
 * A glob as one test per name of its path. `*` is any run of characters and `?` is one; neither
 * matches a slash, and as in a shell neither starts a name with a dot.
 * @throws BAD_VALUE on a glob that is absolute, has an empty name, or leaves its folder
 */
export function globParts(glob: string): ((name: string) => boolean)[] {
  return pathParts(glob).map((part) => {
    const body = part.replace(/[^*?]/gu, quoted).replaceAll("*", ".*").replaceAll("?", ".");
    const pattern = new RegExp(`^${/^[*?]/.test(part) ? "(?!\\.)" : ""}${body}$`, "su");
    return (name) => pattern.test(name);
  });
}

/** Whether a whole relative path matches, as a test of paths. @throws BAD_VALUE as `globParts` */
export function globTest(glob: string): (path: string) => boolean {
  const parts = globParts(glob);
  return (path) => {
    const names = path.split("/");
    return names.length === parts.length && parts.every((p, i) => p(names[i] ?? ""));
  };
}

/** The names of a relative path. @throws BAD_VALUE on a path that could leave its folder */
export function pathParts(path: string): string[] {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..") || path.includes("\0"))
    throw new TieoutError("BAD_VALUE", {
      subject: path,
      cause: "a file of a source is named by a relative path within its folder",
      remedy: "write a name such as refunds.csv, ledger*.csv or 2026/refunds.csv",
    });
  return parts;
}

function quoted(character: string): string {
  return /[\\^$.+()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
