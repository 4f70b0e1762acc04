import { chmodSync, readFileSync, writeFileSync } from "node:fs";

/** Where a committed run's files lie in the store of a working folder. */
export function storeOf(cwd: string): string {
  return `${cwd}/.tieout/store`;
}

export function keptFile(cwd: string, run: string, path: string, attempt = 1): string {
  const job = run.replace(/-\d{4}-.*$/, "");
  return `${storeOf(cwd)}/${job}/${run}/a${attempt}/${path}`;
}

export function keptText(cwd: string, run: string, path: string, attempt = 1): string {
  return readFileSync(keptFile(cwd, run, path, attempt), "utf8");
}

/** Writes other bytes over a file that nobody is meant to write, as a hand in the store would. */
export function overwrite(path: string, bytes: Uint8Array): void {
  chmodSync(path, 0o644);
  writeFileSync(path, bytes);
  chmodSync(path, 0o444);
}
