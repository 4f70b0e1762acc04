import type { CutBy } from "../model/read.js";

/** Whole numbers for people: 1,048,576. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** The sentence on what stopped an answer, or nothing. */
export function stoppedAt(by: readonly CutBy[], remedy: string): string[] {
  const caps = by.flatMap((cap) =>
    cap === "tokens" ? ["token"] : cap === "bytes" ? ["byte"] : [],
  );
  return caps.length === 0 ? [] : [`Stopped at the ${caps.join(" and ")} cap: ${remedy}.`];
}

/** The sentence on cells that were cut at `cap` characters, or nothing. */
export function cellsCut(cells: number, cap: number): string[] {
  if (cells === 0) return [];
  return [`${counted(cells, "cell")} clipped at ${cap} characters; where tests whole cells.`];
}
