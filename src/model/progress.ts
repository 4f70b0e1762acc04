/** How much a stage has done so far: whole rows, bytes. */
export interface Amount {
  readonly rows?: number;
  readonly size_bytes?: number;
  /** Bytes that it is to do in all, where that is known before. */
  readonly of_bytes?: number;
}

/** Told as work goes on; for a person's eyes, never kept. */
export interface Progress {
  /**
   * @param done - items finished before this one
   * @param of - items in all
   * @param amount - what the finished ones came to
   */
  readonly stage: (
    stage: string,
    detail: string,
    done: number,
    of: number,
    amount?: Amount,
  ) => void;
  /** Bytes that have just left for the store, a second try's too; by stores that can tell. */
  readonly moved?: (size_bytes: number) => void;
}
