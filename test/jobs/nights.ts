import type { Engine } from "../../src/engines/engine.js";
import { type Outcome, rowsOf } from "./workbench.js";

/** What a night must give, as an independent count wrote it down; the first night has no changes. */
export interface Night {
  readonly rows: number;
  readonly rows_with_suppressed_star: number;
  readonly sum_unsuppressed: { readonly number_of_bills: string; readonly total_billed: string };
  readonly added?: number;
  readonly removed?: number;
  readonly changed?: number;
  readonly changed_number_to_star?: number;
  readonly changed_star_to_number?: number;
}

/** The row of `night.csv` that the truth demands, in its declared order; `before` is the night before. */
export function nightRow(truth: Night, before: Night | null): string[] {
  return [
    before?.rows ?? 0,
    truth.added ?? 0,
    truth.removed ?? 0,
    truth.rows,
    truth.changed ?? 0,
    truth.changed_number_to_star ?? 0,
    truth.changed_star_to_number ?? 0,
    truth.rows_with_suppressed_star,
    truth.sum_unsuppressed.number_of_bills,
    truth.sum_unsuppressed.total_billed,
  ].map(String);
}

export async function nightOf(outcome: Outcome, engine: Engine) {
  const relation = outcome.relations.get("night");
  return relation ? rowsOf(relation, ["rows_now"], engine) : [];
}
