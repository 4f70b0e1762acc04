import { rm } from "node:fs/promises";
import { duckdbDialect } from "../dialects/duckdb.js";
import { isTieout } from "../model/errors.js";
import type { Path, RelationRef } from "../model/ids.js";
import type { Relation } from "../model/relation.js";
import { castsOf } from "./duckdb-casts.js";
import { cellTexts } from "./duckdb-cells.js";
import { engineError, isMark, MARK } from "./duckdb-errors.js";
import { refuseLink, refuseTaken } from "./duckdb-files.js";
import { type Passed, vetLength, vetTree } from "./duckdb-gate.js";
import { version } from "./duckdb-native.js";
import { vetPlan } from "./duckdb-plan.js";
import { schemasOf, tableOf, viewOf } from "./duckdb-relations.js";
import { copySql, inexactCount, renderedSelect } from "./duckdb-select.js";
import { type Native, openSession, type Session, type SessionOptions } from "./duckdb-session.js";
import type { Engine, Evaluated, Evaluation, Question, Vetted } from "./engine.js";

/**
 * DuckDB within this process. Every call has an in-memory database of its own, locked to exactly
 * the files of that call; foreign SQL is bound against empty tables before any file is opened. What
 * this engine cannot do is stop a native function that ignores interrupts: `duckdb` can.
 */
export async function duckdbInline(options: SessionOptions): Promise<Engine> {
  const open = () => openSession(options);
  return {
    name: "duckdb",
    version: version().replace(/^v/, ""),
    dialect: duckdbDialect,
    vet: (sql, relations, allow = []) =>
      within(open, (session) => vetted(session, sql, relations, allow)),
    evaluate: (e) => within(open, (session) => evaluated(session, e)),
    ask: (q) => within(open, (session) => answered(session, q)),
    stream: (q) => streamed(open, q),
    render: (q) =>
      within(open, async (session) => {
        await openTo(session, q.relations, [...q.sources, q.to], q.to);
        const casts = castsOf(await session.columns(q.sql), null);
        const select = renderedSelect(q.sql, casts, null, q.format);
        const rows = await copied(
          session,
          copySql(select, q.to, q.format, "staging"),
          q.to,
          q.params,
        );
        return { rows, columns: casts.map((c) => c.column) };
      }),
    close: async () => {},
  };
}

async function within<T>(
  open: () => Promise<Session>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await open();
  try {
    return await work(session);
  } catch (e) {
    throw engineError(e);
  } finally {
    session.close();
  }
}

async function vetted(
  session: Session,
  sql: string,
  relations: readonly RelationRef[],
  allow: readonly string[],
  columns: readonly string[] = [],
): Promise<Vetted> {
  vetLength(sql);
  const written = await scalar(session, "SELECT json_serialize_sql($1::VARCHAR)", sql);
  const names = new Set(columns.map((c) => c.toLowerCase()));
  const gate = { relations, allow: new Set(allow), columns: names };
  const { reads, tree } = await toldWell(session, (known) =>
    vetTree(sql, written, { ...gate, known }),
  );
  return { reads, sql: await scalar(session, "SELECT json_deserialize_sql($1::JSON)", tree) };
}

/** The functions that the engine has are asked for only when there is a refusal to word. */
async function toldWell(
  session: Session,
  vet: (known: ReadonlySet<string>) => Passed,
): Promise<Passed> {
  try {
    return vet(new Set());
  } catch (e) {
    if (!isTieout(e, "REFUSED")) throw e;
    const rows = await session.rows(duckdbDialect.functions);
    return vet(new Set(rows.map(([name]) => String(name))));
  }
}

async function evaluated(session: Session, e: Evaluation): Promise<Evaluated> {
  const names = e.relations.map((r) => r.name);
  const columns = e.relations.flatMap((r) => r.columns.map((c) => c.name));
  const gate = await vetted(session, e.sql, names, e.allow, columns);
  const relations = e.relations.filter((r) => gate.reads.includes(r.name));
  const casts = castsOf(await boundColumns(session, e.sql, gate.sql, relations), e.columns);
  await openTo(session, relations, [e.to], e.to);
  const select = renderedSelect(gate.sql, casts, e.order_by, e.format);
  try {
    const rows = await copied(session, copySql(select, e.to, e.format, "keeping"), e.to, []);
    return { rows, columns: casts.map((c) => c.column), reads: gate.reads };
  } catch (error) {
    if (isMark(error, MARK.inexact)) throw await inexactCount(session, gate.sql, casts);
    throw error;
  }
}

/** The columns of vetted SQL, bound against empty tables that are gone again afterwards. */
async function boundColumns(
  session: Session,
  written: string,
  sql: string,
  relations: readonly Relation[],
) {
  for (const schema of schemasOf(relations)) await session.run(schema);
  for (const relation of relations) await session.run(tableOf(relation));
  vetPlan(written, await scalar(session, "SELECT json_serialize_plan($1::VARCHAR)", written));
  const columns = await nullsTold(session, sql, await session.columns(sql));
  for (const relation of relations)
    await session.run(`DROP TABLE ${duckdbDialect.from(relation.name)}`);
  return columns;
}

/**
 * DuckDB shows a bare NULL as INTEGER; beside a text literal it becomes text, and an INTEGER does
 * not.
 */
async function nullsTold(session: Session, sql: string, columns: readonly Native[]) {
  const suspects = columns.filter((c) => c.type === "INTEGER").map((c) => c.name);
  if (suspects.length === 0 || new Set(suspects).size < suspects.length) return columns;
  const beside = suspects.map((name) => `coalesce(${duckdbDialect.id(name)}, '')`);
  const told = await session.columns(`SELECT ${beside.join(", ")} FROM (${sql}) AS result`);
  const nulls = new Set(suspects.filter((_, i) => told[i]?.type === "VARCHAR"));
  return columns.map((c) => (nulls.has(c.name) ? { ...c, type: "NULL" } : c));
}

/** Makes the views, then closes everything but their files and `to`, which must not exist yet. */
async function openTo(
  session: Session,
  relations: readonly Relation[],
  others: readonly Path[],
  to: Path | null,
): Promise<void> {
  const paths = relations.flatMap((r) => r.files.map((f) => f.path));
  await Promise.all(paths.map(refuseLink));
  if (to !== null) await refuseTaken(to);
  for (const schema of schemasOf(relations)) await session.run(schema);
  for (const relation of relations) await session.run(viewOf(relation));
  await session.lock([...paths, ...others]);
}

/** Writes a file and gives the writer's own count; a file cut short by a failure is removed. */
async function copied(
  session: Session,
  copy: string,
  to: Path,
  params: readonly string[],
): Promise<number> {
  try {
    const [row] = await session.rows(copy, params);
    return Number(row?.[0]);
  } catch (e) {
    await rm(to, { force: true });
    throw e;
  }
}

async function answered(session: Session, q: Question & { readonly limit: number }) {
  await openTo(session, q.relations, [], null);
  const { columns, batches } = await session.batches(q.sql, q.params);
  const table = cellTexts(columns);
  const rows: (string | null)[][] = [];
  for await (const batch of batches) {
    rows.push(...table.rows(batch.slice(0, q.limit - rows.length)));
    if (rows.length >= q.limit) break;
  }
  return { columns: table.columns, rows };
}

async function* streamed(
  open: () => Promise<Session>,
  q: Question,
): AsyncGenerator<readonly (readonly (string | null)[])[]> {
  const session = await open();
  try {
    await openTo(session, q.relations, [], null);
    const { columns, batches } = await session.batches(q.sql, q.params);
    const table = cellTexts(columns);
    for await (const batch of batches) if (batch.length > 0) yield table.rows(batch);
  } catch (e) {
    throw engineError(e);
  } finally {
    session.close();
  }
}

async function scalar(session: Session, sql: string, param: string): Promise<string> {
  const [row] = await session.rows(sql, [param]);
  const value = row?.[0];
  if (typeof value !== "string") throw new Error("a text was expected of DuckDB");
  return value;
}
