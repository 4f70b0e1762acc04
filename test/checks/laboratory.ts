import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckPlan, Fault } from "../../src/checks/check.js";
import { planChecks, specProblems } from "../../src/checks/plan.js";
import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import type { Engine } from "../../src/engines/engine.js";
import { Column, typeOf } from "../../src/model/columns.js";
import { type Path, RelationName, RelationRef } from "../../src/model/ids.js";
import { CheckSpec } from "../../src/model/job.js";
import type { Relation, Table } from "../../src/model/relation.js";

export type Rows = readonly (readonly (string | null)[])[];

/** An engine and a folder of its own; `close` removes both. */
export interface Laboratory {
  readonly engine: Engine;
  readonly path: (name: string) => Path;
  /** A Parquet relation of these canonical texts, in this order. */
  readonly relation: (
    name: string,
    columns: Readonly<Record<string, string>>,
    rows: Rows,
  ) => Promise<Relation>;
  /** What a check of the relation `t` (artefact t.csv) says, and its failing rows. */
  readonly check: (
    spec: unknown,
    t: Relation,
    more?: {
      readonly others?: readonly Relation[];
      readonly sql?: Readonly<Record<string, string>>;
    },
  ) => Promise<{ readonly fault: Fault | null; readonly failing: Table["rows"] }>;
  readonly judge: (plan: CheckPlan, relations: readonly Relation[]) => Promise<Fault | null>;
  readonly close: () => Promise<void>;
}

export async function laboratory(): Promise<Laboratory> {
  const dir = await mkdtemp(join(tmpdir(), "tieout-"));
  const temp = join(dir, "temp") as Path;
  const engine = await duckdbInline({ temp });
  let files = 0;
  const path = (name: string): Path => join(dir, name) as Path;

  const relation: Laboratory["relation"] = async (name, columns, rows) => {
    const of = Object.entries(columns).map(([n, type]) => Column.parse({ name: n, type }));
    const to = path(`${name}.${files++}.parquet`);
    await engine.render({
      sql: valuesSql(of, rows, engine),
      params: [],
      relations: [],
      sources: [],
      to,
      format: "parquet",
    });
    return {
      name: RelationRef.parse(name),
      columns: of,
      files: [{ path: to, format: "parquet" }],
      rows: rows.length,
    };
  };

  const judge: Laboratory["judge"] = async (plan, relations) => {
    const { columns, rows } = await engine.ask({
      sql: plan.facts,
      params: [],
      relations,
      limit: 2,
    });
    if (rows.length !== 1) throw new Error("facts are one row");
    return plan.judge(Object.fromEntries(columns.map((c, i) => [c.name, rows[0]?.[i] ?? null])));
  };

  const check: Laboratory["check"] = async (written, t, { others = [], sql = {} } = {}) => {
    const spec = CheckSpec.parse(written);
    const problems = specProblems(spec, t.columns);
    if (problems.length > 0) throw new Error(problems.map((p) => p.message).join("; "));
    const subject = {
      relation: RelationName.parse(t.name),
      artefact: "t.csv",
      columns: t.columns,
    };
    const plan = planChecks([spec], subject, sql, engine.dialect)[1];
    if (!plan) throw new Error("no plan");
    const relations = [t];
    if (plan.foreign) {
      const { name, sql: select, problem } = plan.foreign;
      const to = path(`foreign.${files++}.parquet`);
      const made = await engine.evaluate({
        sql: select,
        relations: [t, ...others],
        columns: null,
        order_by: [],
        allow: [],
        to,
        format: "parquet",
      });
      const wrong = problem(made.columns);
      if (wrong !== null) throw new Error(wrong);
      relations.push({
        name: RelationRef.parse(name),
        columns: made.columns,
        files: [{ path: to, format: "parquet" }],
        rows: made.rows,
      });
    }
    const fault = await judge(plan, relations);
    const failing =
      plan.failing === null
        ? []
        : (await engine.ask({ sql: plan.failing, params: [], relations, limit: 1000 })).rows;
    if (failing.length !== (plan.failing === null ? 0 : (fault?.rows ?? 0)))
      throw new Error("the failing rows are not those that were counted");
    return { fault, failing };
  };

  return {
    engine,
    path,
    relation,
    check,
    judge,
    close: async () => {
      await engine.close();
      await rm(dir, { recursive: true });
    },
  };
}

function valuesSql(columns: readonly Column[], rows: Rows, engine: Engine): string {
  const { id, text, type } = engine.dialect;
  // a literal cannot hold U+0000
  const literal = (value: string): string => text(value).replaceAll("\0", "' || chr(0) || '");
  const cell = (value: string | null | undefined, i: number): string =>
    `CAST(${value ? literal(value) : value === "" ? "''" : "NULL"} AS ${typeAt(i)})`;
  const typeAt = (i: number): string => type(typeOf(columns[i]?.type ?? "text"));
  const names = columns.map((c) => id(c.name)).join(", ");
  const nothing = `(${columns.map((_, i) => cell(null, i)).join(", ")})`;
  const values = rows.map((row) => `(${columns.map((_, i) => cell(row[i], i)).join(", ")})`);
  const where = rows.length === 0 ? " WHERE false" : "";
  return `SELECT * FROM (VALUES ${values.join(", ") || nothing}) AS v(${names})${where}`;
}
