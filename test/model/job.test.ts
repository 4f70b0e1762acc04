import { expect, test } from "vitest";
import { ArtefactName } from "../../src/model/ids.js";
import {
  CHECK_KINDS,
  CheckSpec,
  fileOf,
  formatOf,
  Job,
  kindOf,
  orderOf,
  StepSpec,
} from "../../src/model/job.js";

test("a type alone and a type with its way of writing are one form after parsing", () => {
  const parse = (column: unknown): unknown =>
    Job.shape.inputs.parse({ a: { file: "a.csv", columns: { c: column } } });
  expect(parse("money( USD )")).toEqual(parse({ type: "money(USD)" }));
});

test("a step makes the file that it names, in the format that its name ends in", () => {
  const step = { name: "s", sql: "a.sql" };
  expect(fileOf(StepSpec.parse({ ...step, scratch: "a.parquet" }))).toEqual({
    kind: "scratch",
    name: "a.parquet",
  });
  expect(fileOf(StepSpec.parse({ ...step, artefact: "a.csv" })).kind).toBe("artefact");
  expect(() => fileOf(StepSpec.parse(step))).toThrow("makes no file");
  expect(formatOf(ArtefactName.parse("a.b.xlsx"))).toBe("xlsx");
});

test("a check is of the kind that it fills", () => {
  const specs: Record<(typeof CHECK_KINDS)[number], unknown> = {
    rows: { min: 1 },
    unique: ["a"],
    not_null: ["a"],
    values: { column: "a", in: [1] },
    range: { column: "a", min: 1 },
    control_total: { column: "a", equals: "SELECT 1 AS n" },
    sql: "a.sql",
  };
  for (const kind of CHECK_KINDS)
    expect(kindOf(CheckSpec.parse({ severity: "warning", [kind]: specs[kind] }))).toBe(kind);
  expect(() => kindOf({})).toThrow("no kind");
});

test("an order item has a column, a side and a direction, and is never SQL", () => {
  expect(orderOf("-abs(delta)")).toEqual({ column: "delta", abs: true, down: true });
  expect(orderOf("abs")).toEqual({ column: "abs", abs: false, down: false });
  expect(orderOf("-a")).toEqual({ column: "a", abs: false, down: true });
  expect(() => orderOf("")).toThrow("not an order item");
});

test("an SQL file never leaves the job's folder", () => {
  const sql = StepSpec.shape.sql;
  for (const name of ["a.sql", "checks/no_zero.sql", "a/b/c-1.sql"])
    expect(sql.parse(name)).toBe(name);
  for (const name of ["../a.sql", "/a.sql", "a//b.sql", "a/./b.sql", "a/../b.sql", ".sql", "a.txt"])
    expect(sql.safeParse(name).success).toBe(false);
});
