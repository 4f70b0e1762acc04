import { readdirSync, rmSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { TieoutError } from "../model/errors.js";
import type { Path } from "../model/ids.js";

export async function exists(path: Path): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** A link could lead out of the run after it was checked by name. @throws DAMAGED */
export async function refuseLink(path: Path): Promise<void> {
  if ((await lstat(path)).isFile()) return;
  throw new TieoutError("DAMAGED", {
    subject: "a file of a relation",
    cause: "a file of a relation is not a regular file",
    remedy: "run again with files that are no links",
  });
}

/** @throws EXISTS */
export async function refuseTaken(to: Path): Promise<void> {
  if (!(await exists(to))) return;
  throw new TieoutError("EXISTS", {
    subject: "the file to be written",
    cause: "the file to be written exists already",
    remedy: "write each draft to a name of its own",
  });
}

/** How the names of a process's spill folders start. */
export function spillPrefix(pid: number | undefined): string {
  return `duckdb-${pid}-`;
}

/** Removes what a process spilled. Synchronous: a process calls it as the last thing it does. */
export function removeSpills(temp: string, pid: number | undefined): void {
  const spills = readdirSync(temp).filter((name) => name.startsWith(spillPrefix(pid)));
  for (const name of spills) rmSync(`${temp}/${name}`, { recursive: true, force: true });
}
