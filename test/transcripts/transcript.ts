import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { tieout } from "../e2e/product.js";
import { masked } from "./masks.js";

/**
 * A transcript is a text of commands and what they say. Lines before the first command and lines
 * that begin with `#` are for people. What is done and expected:
 *
 * ```text
 * $ tieout head refunds-2026-08-10 discrepancies --n 1     runs it
 * what it prints                                           standard output, masked
 * ! what it prints there                                   standard error, masked
 * => 0                                                     its exit code
 * @ copy <from> <to> | remove <path> | write <path> <text> | change <path> <old> -> <new>
 * @ there <glob> | absent <glob>                           asserts that files do or do not exist
 * ```
 */
export interface Line {
  readonly kind: "text" | "command" | "deed";
  readonly text: string;
  /** Of a command: what is expected after it, up to and with its exit code. */
  readonly expected: readonly string[];
}

export function parse(text: string): Line[] {
  const lines: Line[] = [];
  let expected: string[] | null = null;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    if (expected !== null) {
      expected.push(line);
      if (line.startsWith("=> ")) expected = null;
    } else if (line.startsWith("$ ")) {
      expected = [];
      lines.push({ kind: "command", text: line.slice(2), expected });
    } else {
      const kind = line.startsWith("@ ") ? "deed" : "text";
      lines.push({ kind, text: kind === "deed" ? line.slice(2) : line, expected: [] });
    }
  }
  return lines;
}

/** The transcript as it happens now, in a fresh working folder; deeds that fail throw. */
export async function play(lines: readonly Line[], folder: string): Promise<Line[]> {
  const played: Line[] = [];
  for (const line of lines) {
    if (line.kind === "deed") deed(line.text, folder);
    if (line.kind !== "command") played.push(line);
    else played.push({ ...line, expected: await said(line.text, folder) });
  }
  return played;
}

export function textOf(lines: readonly Line[]): string {
  return lines
    .flatMap(({ kind, text, expected }) =>
      kind === "text" ? [text] : kind === "deed" ? [`@ ${text}`] : [`$ ${text}`, ...expected],
    )
    .map((line) => `${line}\n`)
    .join("");
}

async function said(command: string, folder: string): Promise<string[]> {
  const [program, ...args] = words(command);
  if (program !== "tieout") throw new Error(`a transcript only runs tieout: ${command}`);
  const { out, err, exit } = await tieout(args, folder);
  const lines = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  const mask = (text: string) => masked(text, folder);
  return [...lines(mask(out)), ...lines(mask(err)).map((l) => `! ${l}`.trimEnd()), `=> ${exit}`];
}

/** Words of a command line; double quotes keep spaces. */
function words(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2] ?? "");
}

function deed(text: string, folder: string): void {
  const [what = "", first = "", ...rest] = words(text);
  const path = `${folder}/${first}`;
  if (what === "copy") cpSync(path, `${folder}/${rest[0]}`, { recursive: true });
  else if (what === "remove") rmSync(path, { recursive: true });
  else if (what === "write") write(path, `${inLines(rest.join(" "))}\n`);
  else if (what === "change") change(path, rest);
  else if (what === "there" || what === "absent") {
    const found = matching(first, folder);
    if (found.length > 0 !== (what === "there")) throw new Error(`${text}: ${found.join(", ")}`);
  } else throw new Error(`a transcript does not know how to ${text}`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function change(path: string, [from = "", arrow, to = ""]: string[]): void {
  const text = readFileSync(path, "utf8");
  if (arrow !== "->" || !text.includes(from)) throw new Error(`${path} holds no ${from} to change`);
  writeFileSync(path, text.replace(from, inLines(to)));
}

function inLines(text: string): string {
  return text.replaceAll("\\n", "\n");
}

/** Paths below a folder that match `*`, a run of any characters but the slash. */
function matching(glob: string, folder: string): string[] {
  const quoted = glob.replace(/[.+()]/g, "\\$&").replaceAll("*", "[^/]*");
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths.filter((path) => new RegExp(`^${quoted}$`).test(path));
}
