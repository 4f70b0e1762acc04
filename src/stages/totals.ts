import type { Effects } from "../effects.js";
import { isExactDecimal, typeOf } from "../model/columns.js";
import type { ControlTotal } from "../model/compute.js";
import type { Relation } from "../model/relation.js";

/**
 * The exact sum of every numeric column but integers, and its unit; money whose currency is another
 * column's has none.
 */
export async function controlTotals(
  relation: Relation,
  fx: Pick<Effects, "engine">,
): Promise<ControlTotal[]> {
  const summed = relation.columns.flatMap((c) => {
    const type = typeOf(c.type);
    return isExactDecimal(type) && type.kind !== "money_by" ? [{ ...c, type }] : [];
  });
  if (summed.length === 0) return [];
  const { dialect } = fx.engine;
  const sums = summed.map((c) => `sum(${dialect.id(c.name)}) AS ${dialect.id(c.name)}`).join(", ");
  const sql = `SELECT ${sums} FROM ${dialect.from(relation.name)}`;
  const table = await fx.engine.ask({ sql, params: [], relations: [relation], limit: 1 });
  return summed.map((c, i) => ({
    column: c.name,
    unit: c.type.kind === "money" ? c.type.currency : null,
    sum: table.rows[0]?.[i] ?? null,
  }));
}
