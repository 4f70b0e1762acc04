import { type Caps, capsOf } from "../model/caps.js";
import type { DescribeAnswer, DescribeInput, RelationSummary } from "../model/read.js";
import type { Relation } from "../model/relation.js";
import { fitting, type SizeCut, withEstimate } from "./envelope.js";
import { counted, grouped, stoppedAt } from "./notice.js";
import { readableColumns } from "./shown.js";

/**
 * What can be read, in the order given; or the columns of one relation, those on its source
 * included. `like` keeps the names that contain it. Nothing is read: no cell is in the answer.
 */
export function describe(
  what: readonly RelationSummary[] | Relation,
  { like }: Pick<DescribeInput, "like">,
  configured: Partial<Caps> = {},
): DescribeAnswer {
  const caps = capsOf(configured);
  const keeps = (name: string): boolean => like === undefined || name.includes(like);
  if (isRelation(what)) {
    const all = readableColumns(what);
    const kept = all.filter((column) => keeps(column.name));
    const about = {
      relation: what.name,
      rows_total: what.rows,
      columns_total: all.length,
    };
    return cutList("columns", kept, all.length, about, caps);
  }
  const kept = what.filter((entry) => keeps(entry.relation));
  return cutList("relations", kept, what.length, { relations_total: what.length }, caps);
}

function isRelation(what: readonly RelationSummary[] | Relation): what is Relation {
  return "files" in what;
}

type About = Pick<DescribeAnswer, "relation" | "rows_total" | "columns_total" | "relations_total">;

function cutList<T extends object>(
  field: "columns" | "relations",
  kept: readonly T[],
  total: number,
  about: About,
  caps: Caps,
) {
  const noun = field === "columns" ? "column" : "relation";
  const envelope = (count: number, by: readonly SizeCut[]) => ({
    ...about,
    truncated: by.length > 0,
    ...(by.length > 0 ? { truncated_by: [...by] } : {}),
    [field]: kept.slice(0, 0),
    notice: [
      kept.length < total
        ? `${grouped(count)} of ${counted(kept.length, noun)} like that, ${grouped(total)} in all.`
        : `${grouped(count)} of ${counted(total, noun)}.`,
      ...stoppedAt(by, "pass like with a part of a name"),
    ].join(" "),
  });
  const fits = fitting(kept, envelope, caps, Math.min(1, kept.length));
  return withEstimate({
    ...envelope(fits.count, fits.by),
    [field]: kept.slice(0, fits.count),
  });
}
