import type { Caps } from "../model/caps.js";
import {
  compareDecimals,
  decimalText,
  divideDecimal,
  parseDecimal,
  rescale,
} from "../model/decimal.js";
import { scaleOf } from "../model/money.js";
import type { AggregateAnswer, Cell, CutBy, Group } from "../model/read.js";
import type { Relation } from "../model/relation.js";
import { type Aggregate, isAmount, valueType } from "./aggregate-plan.js";
import type { RawGroup, RawGroups } from "./aggregate-sql.js";
import { isClipped, shownCell, shrinking, typesOf } from "./cells.js";
import { ANY_SIZE_CUT, fitting, holds, type SizeCut, withEstimate } from "./envelope.js";
import { cellsCut, counted, grouped, stoppedAt } from "./notice.js";

/** Decimals that an average has beyond those of its column. */
const AVERAGE_DECIMALS = 4;

/** An aggregate's answer before it is cut. */
export interface Groups extends RawGroups {
  readonly relation: Relation;
  readonly asked: Aggregate;
  readonly caps: Caps;
}

/** The answer of an aggregate; cells shrink until one group fits, then as many are taken as fit. */
export function cutGroups(all: Groups): AggregateAnswer {
  for (const cell of shrinking(all.caps.cell, 0)) {
    const shown = all.groups.map((group) => shownGroup(group, all.asked, cell));
    const cut = all.asked.by.length === 0 ? cutSingle : cutSeveral;
    const answer = cut(all, shown, cell);
    if (answer) return answer;
  }
  throw new Error("one group does not fit the least caps");
}

function cutSingle(all: Groups, shown: readonly Group[], cell: number): AggregateAnswer | null {
  const answer = single(all, shown[0], cell);
  return holds([], [], () => answer, all.caps) ? withEstimate(answer) : null;
}

function cutSeveral(all: Groups, shown: readonly Group[], cell: number): AggregateAnswer | null {
  const envelope = (count: number, by: readonly SizeCut[]) =>
    several(all, shown.slice(0, count), by, cell);
  const by = shown.length > 1 ? ANY_SIZE_CUT : [];
  const first = shown.slice(0, 1);
  if (!holds(first, by, envelope, all.caps)) return null;
  const fits = fitting(shown, envelope, all.caps, first.length);
  return withEstimate({ ...envelope(fits.count, fits.by), groups: shown.slice(0, fits.count) });
}

type Unestimated = Omit<AggregateAnswer, "estimated_tokens">;

function single(all: Groups, group: Group | undefined, cell: number): Unestimated {
  if (!group) throw new Error("an aggregate without groups has one value");
  const clipped = isClipped(group.value) ? 1 : 0;
  return {
    ...counts(all),
    value: group.value,
    ...common(all.asked),
    ...cut(clipped > 0 ? ["cells"] : [], clipped),
    notice: [rowsSentence(all), ...cellsCut(clipped, cell)].join(" "),
  };
}

function several(
  all: Groups,
  shown: readonly Group[],
  by: readonly SizeCut[],
  cell: number,
): Unestimated {
  const clipped = shown.flatMap((group) => [...group.by, group.value]).filter(isClipped).length;
  const cutBy: CutBy[] = [...by];
  if (clipped > 0) cutBy.push("cells");
  if (all.groups.length < all.groups_total) cutBy.push("groups");
  const first = shown.length < all.groups_total ? ", the greatest value first" : "";
  const notice = [
    rowsSentence(all),
    `${grouped(shown.length)} of ${counted(all.groups_total, "group")}${first}.`,
    ...stoppedAt(by, "narrow with all, or group by fewer columns"),
    ...cellsCut(clipped, cell),
  ];
  return {
    ...counts(all),
    ...(all.groups_total === 0 ? { value: null } : {}),
    ...common(all.asked),
    ...cut(cutBy, clipped),
    groups_total: all.groups_total,
    by: all.asked.by.map((column) => column.name),
    groups: [],
    notice: notice.join(" "),
  };
}

function counts(
  all: Groups,
): Pick<Unestimated, "relation" | "rows_total" | "rows_matched" | "null_count"> {
  return {
    relation: all.relation.name,
    rows_total: all.relation.rows,
    rows_matched: all.rows_matched,
    null_count: all.null_count,
  };
}

function common({ fn, of }: Aggregate): Pick<Unestimated, "fn" | "column" | "unit" | "exact"> {
  return {
    fn,
    ...(of === null ? {} : { column: of.column.name }),
    ...(of?.type.kind === "money" && isAmount(fn) ? { unit: of.type.currency } : {}),
    ...(fn === "avg" ? { exact: false } : {}),
  };
}

function cut(
  by: CutBy[],
  clipped: number,
): Pick<Unestimated, "truncated" | "truncated_by" | "cells_clipped"> {
  return {
    truncated: by.length > 0,
    ...(by.length > 0 ? { truncated_by: by } : {}),
    ...(clipped > 0 ? { cells_clipped: clipped } : {}),
  };
}

function rowsSentence({ rows_matched, relation }: Groups): string {
  return `Over ${grouped(rows_matched)} of ${counted(relation.rows, "row")}.`;
}

function shownGroup(group: RawGroup, asked: Aggregate, cell: number): Group {
  const types = typesOf(asked.by);
  const by = group.by.map((key, i) => shownCell(key, cell, types[i] ?? { kind: "text" }));
  const key = asked.currency === null ? null : (group.by[asked.currency]?.text ?? null);
  const currency = key !== null && scaleOf(key) !== null ? key : null;
  return {
    by,
    value: shownValue(group, asked, currency, cell),
    ...(asked.currency === null ? {} : { unit: currency }),
    rows: group.rows,
    null_count: group.null_count,
  };
}

/**
 * A count as a number; an amount with its currency's decimals, or with more where it has them; an
 * average rounded half to even.
 */
function shownValue(
  { value, rows, null_count }: RawGroup,
  asked: Aggregate,
  currency: string | null,
  cell: number,
): number | Cell {
  const type = valueType(asked);
  if (value === null) return null;
  if (asked.of === null || asked.fn.startsWith("count")) return Number(value.text);
  if (asked.fn !== "avg" && asked.currency === null) return shownCell(value, cell, type);
  const exact = parseDecimal(value.text);
  if (exact === null) throw new Error("a sum is a decimal");
  if (asked.fn === "avg")
    return decimalText(
      divideDecimal(exact, BigInt(rows - null_count), exact.scale + AVERAGE_DECIMALS),
    );
  const amount = rescale(exact, scaleOf(currency ?? "") ?? exact.scale);
  return decimalText(compareDecimals(amount, exact) === 0 ? amount : exact);
}
