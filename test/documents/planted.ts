import { readFileSync } from "node:fs";

/** One mistake planted in the first example of `docs/job.md`; `planted.txt` explains its parts. */
export interface Planted {
  readonly law: string;
  readonly from: string;
  readonly to: string;
  readonly says: string;
  readonly expects: string;
  readonly near: string | null;
}

export const PLANTED: readonly Planted[] = readFileSync(
  new URL("planted.txt", import.meta.url),
  "utf8",
)
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const parts = line.split(" ¦ ").map((part) => part.replaceAll("↵", "\n"));
    const [law, from, to, says, expects, near = null] = parts;
    if (law && from && to !== undefined && says !== undefined && expects)
      return { law, from, to, says, expects, near };
    throw new Error(`not a planted mistake: ${line}`);
  });
