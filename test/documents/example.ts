import { readFileSync } from "node:fs";

/** The first YAML example of `docs/job.md`: the refunds job, whole. */
export const EXAMPLE = examples()[0] ?? "";

/** Every fenced YAML block of `docs/job.md`, in order. */
export function examples(): string[] {
  const text = readFileSync(new URL("../../docs/job.md", import.meta.url), "utf8");
  return [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map((m) => m[1] ?? "");
}

/** A text with one part replaced; the part must be there once. */
export function changed(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`not there exactly once: ${from}`);
  return text.replace(from, () => to);
}
