import { duckdbDialect } from "../dialects/duckdb.js";
import { typeOf } from "../model/columns.js";
import { TieoutError } from "../model/errors.js";
import type { Order } from "../model/relation.js";
import type { Cast } from "./duckdb-casts.js";
import { MARK } from "./duckdb-errors.js";
import type { Session } from "./duckdb-session.js";

const { id, text, canonical, order, type } = duckdbDialect;

/**
 * A SELECT whose values are exactly of the declared types, in a total order (`null` keeps the
 * SELECT's own), as canonical text for a CSV. A value that does not fit raises MARK.inexact.
 */
export function renderedSelect(
  sql: string,
  casts: readonly Cast[],
  order_by: readonly Order[] | null,
  format: "csv" | "parquet",
): string {
  const typed = casts.map((c) => `${exact(c)} AS ${id(inner(c.column.name))}`);
  const out = casts.map(({ column }) => {
    const value = id(inner(column.name));
    const shown = format === "csv" ? canonical(value, typeOf(column.type)) : value;
    return `${shown} AS ${id(column.name)}`;
  });
  const items =
    order_by === null
      ? ""
      : ` ORDER BY ${order(
          order_by.map((o) => ({ ...o, column: inner(o.column) })),
          casts.map((c) => ({ name: inner(c.column.name) })),
        )}`;
  const values = `SELECT ${typed.join(", ")} FROM (${sql}) AS result`;
  return `SELECT ${out.join(", ")} FROM (${values}) AS typed${items}`;
}

/** Its own name for the typed value, so that ORDER BY cannot mean the text beside it. */
function inner(column: string): string {
  return `typed ${column}`;
}

function exact({ native, column, value, fits }: Cast): string {
  if (fits === null) return value;
  const stop = `CAST(error('${MARK.inexact}') AS ${type(typeOf(column.type))})`;
  const none = `${id(native.name)} IS NULL`;
  return `CASE WHEN ${none} THEN NULL WHEN ${fits} THEN ${value} ELSE ${stop} END`;
}

/** DuckDB never syncs what it writes and leaves a cut file on failure: the caller does both. */
export function copySql(
  select: string,
  to: string,
  format: "csv" | "parquet",
  use: "keeping" | "staging",
): string {
  // What is staged is read once or twice and thrown away: packing it costs more than its bytes do.
  const packing =
    use === "keeping"
      ? "COMPRESSION zstd"
      : "COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 1, WRITE_BLOOM_FILTER false";
  const options =
    format === "csv"
      ? `FORMAT csv, HEADER true, DELIMITER ',', QUOTE '"', ESCAPE '"', NULL ''`
      : `FORMAT parquet, ${packing}, ROW_GROUP_SIZE 122880`;
  return `COPY (${select}) TO ${text(to)} (${options}, USE_TMP_FILE false)`;
}

/** Counts, per column, what made `renderedSelect` raise MARK.inexact. */
export async function inexactCount(
  session: Session,
  sql: string,
  casts: readonly Cast[],
): Promise<TieoutError> {
  const checked = casts.filter((c) => c.fits !== null);
  const counts = checked.map(
    (c) => `count(*) FILTER (WHERE ${id(c.native.name)} IS NOT NULL AND (${c.fits}) IS NOT TRUE)`,
  );
  const [row] = await session.rows(`SELECT ${counts.join(", ")} FROM (${sql}) AS result`);
  const bad = checked.flatMap((cast, i) => {
    const rows = Number(row?.[i] ?? 0);
    return rows > 0 ? [{ cast, rows }] : [];
  });
  const told = bad.map(
    ({ cast, rows }) => `${rows} values of ${cast.column.name} do not fit ${cast.column.type}`,
  );
  const worst = bad[0]?.cast;
  const to = worst ? type(typeOf(worst.column.type)) : "the declared type";
  return new TieoutError("INEXACT", {
    subject: worst?.column.name ?? "a column",
    cause: `${told.join("; ")} without rounding or overflow`,
    remedy: `round where the job means to, CAST(<expression> AS ${to}), or declare more digits`,
    at: Object.fromEntries(bad.map(({ cast, rows }) => [cast.column.name, rows])),
  });
}
