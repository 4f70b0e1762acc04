import { expect, describe as suite, test } from "vitest";
import { type Path, RelationRef } from "../../src/model/ids.js";
import { DescribeAnswer, type RelationSummary } from "../../src/model/read.js";
import type { Relation } from "../../src/model/relation.js";
import { describe } from "../../src/queries/describe.js";
import { columnsOf } from "./pages.js";

const entries = (count: number): RelationSummary[] =>
  Array.from({ length: count }, (_, i) => ({
    relation: `relation_${i}`,
    kind: "artefact",
    rows: i,
    columns: 3,
    made_at: "2026-08-10T06:41:12Z",
  }));

const relation: Relation = {
  name: RelationRef.parse("refunds"),
  columns: columnsOf(Array.from({ length: 300 }, () => "decimal(18,2)")),
  files: [{ path: "/refunds.parquet" as Path, format: "parquet", source: "refunds.csv" }],
  rows: 6412,
};

suite("describe", () => {
  test("lists every relation with its counts, and reads none", () => {
    const answer = describe(entries(2), {});
    expect(DescribeAnswer.strict().parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      relations_total: 2,
      truncated: false,
      notice: "2 of 2 relations.",
    });
    expect(answer.relations).toEqual(entries(2));
  });

  test("says how many there are when the list is cut, and by which cap", () => {
    const answer = describe(entries(500), {});
    expect(answer).toMatchObject({
      relations_total: 500,
      truncated: true,
      truncated_by: ["tokens"],
    });
    expect(answer.estimated_tokens).toBeLessThanOrEqual(2000);
    expect(answer.notice).toContain(`${answer.relations?.length} of 500 relations.`);
  });

  test("keeps names like a text, taken literally, and still says how many there are", () => {
    const answer = describe(entries(500), { like: "n_49" });
    expect(answer.relations?.map((r) => r.relation).slice(0, 2)).toEqual([
      "relation_49",
      "relation_490",
    ]);
    expect(answer).toMatchObject({
      relations_total: 500,
      notice: "11 of 11 relations like that, 500 in all.",
    });
    expect(describe(entries(5), { like: "%" }).relations).toEqual([]);
  });

  test("gives a relation's columns with types and counts, those on its source last", () => {
    const answer = describe(relation, { like: "a29" });
    expect(answer).toMatchObject({ relation: "refunds", rows_total: 6412, columns_total: 302 });
    expect(answer.columns).toHaveLength(11);
    expect(describe(relation, { like: "_" }).columns).toEqual([
      { name: "_file", type: "text" },
      { name: "_line", type: "integer" },
    ]);
    expect(describe(relation, {})).toMatchObject({ truncated: true, truncated_by: ["tokens"] });
  });
});
