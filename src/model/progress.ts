/** Told as work goes on; for a person's eyes, never kept. */
export interface Progress {
  /** @param done - items finished before this one; @param of - items in all, null when not known */
  readonly stage: (stage: string, detail: string, done: number, of: number | null) => void;
}
