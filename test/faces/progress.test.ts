import { expect, test } from "vitest";
import { terminalProgress } from "../../src/faces/progress.js";

function screen(columns = 80) {
  const lines: string[] = [];
  const write = (text: string): void => void lines.push(text.replace("\r\u001b[K", ""));
  return { lines, on: terminalProgress({ isTTY: true, columns, write }) };
}
const MB = 1_000_000;

test("bytes that have left are told of all, from those finished up to all and no further", () => {
  const { lines, on } = screen();
  const parcel = (done: number, size_bytes: number): void =>
    on.stage("extract", "a.csv", done, 2, { size_bytes, of_bytes: 4 * MB });
  parcel(0, 0);
  on.moved?.(MB);
  parcel(1, 3 * MB);
  on.moved?.(5 * MB);
  expect(lines).toEqual([
    "extract 1/2  a.csv  (0 B of 4.0 MB so far)",
    "extract 1/2  a.csv  (1.0 MB of 4.0 MB so far)",
    "extract 2/2  a.csv  (3.0 MB of 4.0 MB so far)",
    "extract 2/2  a.csv  (4.0 MB of 4.0 MB so far)",
  ]);
});

test("each stage begins its own count, and bytes are told only while a line is shown", () => {
  const { lines, on } = screen();
  on.moved?.(MB);
  on.stage("extract", "a.csv", 0, 1, { size_bytes: 0, of_bytes: 2 * MB });
  on.clear();
  on.moved?.(MB);
  expect(lines).toEqual(["extract 1/1  a.csv  (0 B of 2.0 MB so far)", ""]);
});

test("a line never passes the width of the terminal, and without one there is none", () => {
  const { lines, on } = screen(20);
  on.stage("extract", "a-name-that-is-long.csv", 0, 1);
  expect(lines).toEqual(["extract 1/1  a-name"]);
  const silent = terminalProgress({ write: (text) => lines.push(text) });
  silent.stage("extract", "a.csv", 0, 1);
  expect(lines).toHaveLength(1);
});
