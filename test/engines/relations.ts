import type { Engine } from "../../src/engines/engine.js";
import type { Column } from "../../src/model/columns.js";
import type { Path, RelationRef } from "../../src/model/ids.js";
import type { Relation } from "../../src/model/relation.js";

/** A file of a test's own temporary folder. */
export function at(dir: string, name: string): Path {
  return `${dir}/${name}` as Path;
}

export function columns(types: Readonly<Record<string, string>>): Column[] {
  return Object.entries(types).map(([name, type]) => ({ name: name as Column["name"], type }));
}

/** A relation of one Parquet file, written by the engine itself. */
export async function relation(
  engine: Engine,
  dir: string,
  name: string,
  types: Readonly<Record<string, string>>,
  values: string,
): Promise<Relation> {
  const path = at(dir, `${name}.parquet`);
  const names = Object.keys(types);
  const casts = columns(types).map((c) => `${c.name}::${native(c.type)} AS ${c.name}`);
  const { rows } = await engine.render({
    sql: `SELECT ${casts.join(", ")} FROM (VALUES ${values}) t(${names.join(", ")})`,
    params: [],
    relations: [],
    sources: [],
    to: path,
    format: "parquet",
  });
  return {
    name: name as RelationRef,
    columns: columns(types),
    files: [{ path, format: "parquet" }],
    rows,
  };
}

function native(type: string): string {
  if (type.startsWith("money")) return "DECIMAL(18,2)";
  return { text: "VARCHAR", integer: "BIGINT" }[type] ?? type;
}

export function refunds(engine: Engine, dir: string): Promise<Relation> {
  return relation(
    engine,
    dir,
    "refunds",
    { refund_id: "text", seller_id: "text", refunded_on: "date", amount: "money(USD)" },
    `('r1', 's1', '2026-08-01', 10.50), ('r2', 's1', '2026-08-02', -2.25),
     ('r3', 's2', '2026-08-02', 0.01), ('r4', NULL, NULL, NULL), ('r5', 's4', '2026-08-10', 99.99)`,
  );
}

export function ledger(engine: Engine, dir: string): Promise<Relation> {
  return relation(
    engine,
    dir,
    "ledger",
    { seller_id: "text", balance: "money(USD)", entries: "integer" },
    "('s1', 8.25, 2), ('s2', 0.02, 1), ('s3', 7.00, 3)",
  );
}
