import type { Engine } from "../../src/engines/engine.js";
import { sha256Of } from "../../src/model/canonical.js";
import { Column, typeOf } from "../../src/model/columns.js";
import { TieoutError } from "../../src/model/errors.js";
import type { Path } from "../../src/model/ids.js";
import { RelationRef } from "../../src/model/ids.js";
import type { RelationFile } from "../../src/model/relation.js";
import { REJECT_COLUMNS } from "../../src/model/relations.js";
import type { PinnedFile, Reader, ReadRequest, Reject } from "../../src/readers/reader.js";
import type { Writer } from "../../src/writers/writer.js";

/** Files of a run wherever they are: in memory, or on the disk. */
export interface Bytes {
  readonly read: (path: string) => Promise<Uint8Array>;
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
}

/**
 * A reader of plain CSV (no quotes) that needs no disk: its rows reach the engine as values, so that
 * no path is in its questions and recorded answers serve.
 */
export function plainReader(bytes: Bytes): Reader {
  return {
    read: async (request, engine) => {
      const columns = columnsOf(request);
      const files: RelationFile[] = [];
      const read = [];
      for (const [n, file] of request.files.entries()) {
        const records = await recordsOf(file, columns, bytes);
        const path = request.typed(n);
        await renderTyped(records.rows, columns, path, engine);
        files.push({ path, format: "parquet", source: file.source, first_line: null });
        read.push(records);
      }
      const rejects = read.flatMap((r) => r.rejects);
      const rows = read.reduce((sum, r) => sum + r.rows.length, 0);
      return {
        relation: { name: RelationRef.parse(request.input), columns, files, rows },
        rows,
        rejected: rejects.length,
        skipped: 0,
        records: rows + rejects.length,
        rejects: rejects.length === 0 ? null : await renderRejects(rejects, request, engine),
      };
    },
  };
}

/** A "workbook" that names the bytes of its twin, and the proof that it still does. */
export function plainWriter(bytes: Bytes): Writer {
  const meant = async (path: string | undefined): Promise<string> =>
    `book of ${sha256Of(await bytes.read(path ?? ""))}\n`;
  return {
    write: async ({ twin, to }) => {
      await bytes.write(to, Buffer.from(await meant(twin.files[0]?.path)));
      return { rows: twin.rows, overflow: 0 };
    },
    prove: async ({ twin, to }) => {
      const found = Buffer.from(await bytes.read(to)).toString();
      if (found === (await meant(twin.files[0]?.path))) return;
      throw new TieoutError("COUNT_MISMATCH", {
        subject: "the workbook",
        cause: "it is not of its twin",
        remedy: "run the id again",
      });
    },
  };
}

interface Record {
  readonly line: number;
  readonly fields: readonly string[];
}

function columnsOf({ spec }: ReadRequest): Column[] {
  return Object.entries(spec.columns).map(([name, { type }]) => Column.parse({ name, type }));
}

async function recordsOf(file: PinnedFile, columns: readonly Column[], bytes: Bytes) {
  const [, ...lines] = Buffer.from(await bytes.read(file.path))
    .toString()
    .trimEnd()
    .split("\n");
  const records = lines.map((text, i) => ({ line: i + 2, fields: text.split(",") }));
  const wrong = (r: Record): Column | undefined =>
    columns.find((c, i) => c.type.startsWith("money") && !/^-?\d+\.\d\d$/.test(r.fields[i] ?? ""));
  const rejects = records.flatMap((r): Reject[] => {
    const column = wrong(r);
    if (column === undefined) return [];
    const reason = "this is no amount";
    return [{ file: file.source, line: r.line, column: column.name, code: "NOT_A_NUMBER", reason }];
  });
  return { rows: records.filter((r) => wrong(r) === undefined), rejects };
}

async function renderTyped(
  rows: readonly Record[],
  columns: readonly Column[],
  to: Path,
  engine: Engine,
): Promise<void> {
  const typed = [...columns, Column.parse({ name: "_line", type: "integer" })];
  const values = rows.map((r) => [...r.fields, String(r.line)]);
  const sql = `${valuesSql(values, typed, engine)} ORDER BY "_line"`;
  await engine.render({ sql, params: [], relations: [], sources: [], to, format: "parquet" });
}

async function renderRejects(
  found: readonly Reject[],
  { rejects: to }: ReadRequest,
  engine: Engine,
) {
  const rows = found.map((r) => [r.file, String(r.line), r.column, r.code, r.reason, ""]);
  const sql = valuesSql(rows, REJECT_COLUMNS, engine);
  await engine.render({ sql, params: [], relations: [], sources: [], to, format: "csv" });
  return { file: { path: to, format: "csv" as const }, first: found };
}

function valuesSql(
  rows: readonly (readonly string[])[],
  columns: readonly Column[],
  { dialect }: Engine,
): string {
  const row = (cells: readonly string[]): string =>
    columns
      .map((c, i) => `CAST(${dialect.text(cells[i] ?? "")} AS ${dialect.type(typeOf(c.type))})`)
      .join(", ");
  const names = columns.map((c) => dialect.id(c.name)).join(", ");
  return `SELECT * FROM (VALUES ${rows.map((r) => `(${row(r)})`).join(", ")}) AS t(${names})`;
}
