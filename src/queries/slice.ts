import type { Engine } from "../engines/engine.js";
import { type Caps, capsOf } from "../model/caps.js";
import { typeOf } from "../model/columns.js";
import { TieoutError } from "../model/errors.js";
import type { ReadAnswer } from "../model/read.js";
import type { Relation } from "../model/relation.js";
import { cellSql, type RawRow, rawCells, typesOf } from "./cells.js";
import { type Bookmark, cursorAt, placeOf } from "./cursor.js";
import { type Counts, cutPage } from "./page.js";
import type { Shown } from "./shown.js";

/** What a read needs beside the relation and the question. */
export interface Reading {
  readonly engine: Pick<Engine, "ask" | "dialect">;
  /** Changes whenever the content of what is read does, such as its SHA-256. */
  readonly tag: string;
  readonly caps?: Partial<Caps>;
}

/** Rows to walk over, page by page, in one direction. */
export interface Walk {
  /** As the answer names it. */
  readonly relation: string;
  readonly relations: readonly Relation[];
  /** SELECT of the shown columns, by name and in order, without LIMIT. */
  readonly sql: string;
  readonly params: readonly string[];
  readonly backwards: boolean;
  readonly counts: Counts;
  /** The first sentence of the notice: `returned` rows came back, after `at` before this page. */
  readonly says: (at: number, returned: number) => string;
  readonly shown: Shown;
}

/**
 * One page of a walk, cut to the caps. The number of rows asked is bounded, so is what is fetched.
 * @throws BAD_CURSOR; DAMAGED when the engine finds fewer rows than were counted
 */
export async function slice(
  walk: Walk,
  asked: { readonly n?: number | undefined; readonly next?: string | undefined },
  call: unknown,
  { engine, tag, caps: configured }: Reading,
): Promise<ReadAnswer> {
  const caps = capsOf(configured);
  const { counts, shown, backwards } = walk;
  const mark: Bookmark = {
    content: [walk.relations.map((r) => [r.name, r.rows]), tag],
    call,
  };
  const rows = counts.rows_with_context ?? counts.rows_matched;
  const at = placeOf(asked.next, mark, rows);
  const wanted = Math.min(asked.n ?? caps.rows, rows - at);
  const limit = Math.min(wanted, mostRows(shown.columns.length, caps));
  const offset = backwards ? rows - at - limit : at;
  const fetched = await fetchRows(walk, limit, offset, caps, engine);
  return cutPage({
    relation: walk.relation,
    counts,
    says: (returned) => walk.says(at, returned),
    shown,
    wanted,
    left: rows - at,
    backwards,
    rows: fetched,
    next: (returned) => cursorAt(at + returned, mark),
    caps,
  });
}

/** One more than could ever fit: a row of c columns takes at least `["","",…],` bytes. */
function mostRows(columns: number, caps: Caps): number {
  return Math.floor(caps.bytes / (3 * columns + 2)) + 1;
}

/** LIMIT is inside, on plain columns, so that only the rows of the page are rendered. */
async function fetchRows(
  walk: Walk,
  limit: number,
  offset: number,
  caps: Caps,
  engine: Reading["engine"],
): Promise<readonly RawRow[]> {
  const { columns } = walk.shown;
  if (limit === 0 || columns.length === 0) return Array.from({ length: limit }, () => []);
  const d = engine.dialect;
  const cells = columns.map((c) => cellSql(d.id(c.name), typeOf(c.type), caps.cell, d));
  const page = `${walk.sql} LIMIT ${limit} OFFSET ${offset}`;
  const table = await engine.ask({
    sql: `SELECT ${cells.join(", ")} FROM (${page}) AS page`,
    params: walk.params,
    relations: walk.relations,
    limit,
  });
  if (table.rows.length !== limit)
    throw new TieoutError("DAMAGED", {
      subject: walk.relation,
      cause: "the relation has fewer rows than were recorded when it was sealed",
      remedy: "recheck the run: the file is not the one that was sealed",
      at: { expected: limit, found: table.rows.length },
    });
  const types = typesOf(columns);
  return table.rows.map((row) => rawCells(types, row));
}
