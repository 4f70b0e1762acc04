import type { ColumnType } from "../model/columns.js";
import type { Order } from "../model/relation.js";

/** How one engine spells what our own questions need. Pure: text in, text out. */
export interface Dialect {
  readonly name: string;
  /** A quoted identifier. */
  readonly id: (name: string) => string;
  /** A quoted text literal. */
  readonly text: (value: string) => string;
  /** A relation's name in FROM; `previous.x` is two identifiers. */
  readonly from: (relation: string) => string;
  /** The engine's own name of a type. */
  readonly type: (t: ColumnType) => string;
  /** An expression's value as canonical text, null kept (I010). */
  readonly canonical: (expression: string, t: ColumnType) => string;
  /**
   * ORDER BY items: the declared ones, then every remaining column; nulls last. Without the
   * keyword.
   */
  readonly order: (
    order_by: readonly Order[],
    columns: readonly { readonly name: string }[],
  ) => string;
  /** `n`-th parameter (from 1) as a value of the type. */
  readonly param: (n: number, t: ColumnType) => string;
  /** A SELECT of the names of all functions that the engine has, each once, in order. */
  readonly functions: string;
}
