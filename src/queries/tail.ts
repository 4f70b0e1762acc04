import type { ReadAnswer, TailInput } from "../model/read.js";
import type { Relation } from "../model/relation.js";
import { fileOrder } from "./head.js";
import type { Reading } from "./slice.js";

/**
 * The last rows, in file order; `next` leads to the ones before them. Where not all fit, the rows
 * nearest to the end are kept.
 * @throws UNKNOWN_COLUMN, BAD_CURSOR, DAMAGED; the engine's TIMEOUT, MEMORY
 */
export function tail(relation: Relation, input: TailInput, reading: Reading): Promise<ReadAnswer> {
  return fileOrder(relation, input, reading, true);
}
