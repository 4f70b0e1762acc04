import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Subject } from "../../src/checks/check.js";
import { planChecks, planConserves, planKey, specProblems } from "../../src/checks/plan.js";
import { Column } from "../../src/model/columns.js";
import { ColumnName, RelationName, RelationRef } from "../../src/model/ids.js";
import { CheckSpec } from "../../src/model/job.js";
import { type Laboratory, laboratory, type Rows } from "./laboratory.js";

let lab: Laboratory;
beforeAll(async () => {
  lab = await laboratory();
});
afterAll(() => lab.close());

const COLUMNS = {
  id: "text",
  amount: "money(by currency)",
  currency: "text",
  n: "integer",
  day: "date",
  ok: "boolean",
  rate: "decimal(6,4)",
  at: "timestamp",
};
const columns = Object.entries(COLUMNS).map(([name, type]) => Column.parse({ name, type }));
const subject: Subject = { relation: RelationName.parse("t"), artefact: "t.csv", columns };
const problems = (spec: unknown): string[] =>
  specProblems(CheckSpec.parse(spec), columns).map((p) => `${p.path.join(".")}: ${p.message}`);

describe("a declared check", () => {
  it.each([
    [{ unique: ["id", "idd", "n"] }, "unique.1: no column is called idd: did you mean id?"],
    [{ not_null: ["curency"] }, "did you mean currency?"],
    [{ rows: {} }, "say min, max or equals"],
    [{ rows: { min: 3, max: 2 } }, "min 3 is more than max 2"],
    [{ range: { column: "n" } }, "say min, max or both"],
    [{ range: { column: "ok", min: true } }, "use values"],
    [{ range: { column: "rate", min: "1.00005" } }, "decimal(6,4)"],
    [{ range: { column: "rate", max: "100" } }, "decimal(6,4)"],
    [{ range: { column: "day", min: "2026-02-30" } }, "write YYYY-MM-DD"],
    [{ range: { column: "at", min: "2026-02-01" } }, "in UTC"],
    [{ range: { column: "n", min: "1.0" } }, "without grouping"],
    [{ range: { column: "n", min: "9223372036854775808" } }, "integer"],
    [{ values: { column: "id", in: [1] } }, "write it in quotes"],
    [{ values: { column: "id", in: ["a\0b"] } }, "without U+0000"],
    [{ values: { column: "ok", in: ["true"] } }, "without quotes"],
    [{ control_total: { column: "day", equals: "SELECT 1" } }, "cannot be summed"],
    [{ control_total: { column: "amount", equals: "SELECT 1" } }, "mixes currencies"],
  ])("is refused before a run: %j", (spec, says) => {
    expect(problems(spec).join("\n")).toContain(says);
  });

  it("tells all its mistakes at once", () => {
    expect(problems({ values: { column: "n", in: ["a", 1, "b"] } })).toHaveLength(2);
    expect(problems({ range: { column: "day", min: "x", max: "y" } })).toHaveLength(2);
  });

  it("has a name that no other check of the run has", () => {
    const specs = [{ unique: ["id"] }, { unique: ["id"] }, { rows: { max: 2 }, name: "few" }];
    const plans = planChecks(
      specs.map((s) => CheckSpec.parse(s)),
      subject,
      {},
      lab.engine.dialect,
    );
    expect(plans.map((p) => p.name)).toEqual([
      "t.columns",
      "t.unique_id",
      "t.unique_id_2",
      "t.few",
    ]);
  });

  it("is an error unless it says otherwise", () => {
    const specs = [{ rows: { max: 1 } }, { rows: { max: 1 }, severity: "warning" }];
    const plans = planChecks(
      specs.map((s) => CheckSpec.parse(s)),
      subject,
      {},
      lab.engine.dialect,
    );
    expect(plans.map((p) => p.severity)).toEqual(["error", "error", "warning"]);
  });

  it("reads its own SELECT under a name that differs between checks", () => {
    const spec = CheckSpec.parse({ rows: { equals: "SELECT 1" } });
    const names = planChecks([spec, spec], subject, {}, lab.engine.dialect).map(
      (p) => p.foreign?.name,
    );
    expect(new Set(names).size).toBe(3);
  });
});

describe("what is checked without being declared", () => {
  const money = { id: "text", amount: "money(by currency)", currency: "text" };
  const builtIn = async (rows: Rows) => {
    const t = await lab.relation("t", money, rows);
    const of = { ...subject, columns: t.columns };
    const [plan] = planChecks([], of, {}, lab.engine.dialect);
    if (!plan?.failing) throw new Error("no plan");
    const fault = await lab.judge(plan, [t]);
    const failing = await lab.engine.ask({
      sql: plan.failing,
      params: [],
      relations: [t],
      limit: 99,
    });
    expect(failing.rows).toHaveLength(fault?.rows ?? 0);
    return fault;
  };

  it("an amount has a currency of ISO 4217 and no more decimals than it", async () => {
    const good = [
      ["a", "1.5000", "USD"],
      ["b", "5.0000", "JPY"],
      ["c", "1.2340", "KWD"],
      ["d", "1.2345", "UYW"],
      ["e", null, null],
    ];
    expect(await builtIn(good)).toBeNull();
    expect(await builtIn([])).toBeNull();
    const bad = [
      ["a", "1.5010", "USD"],
      ["b", "5.1000", "JPY"],
      ["c", "1.0000", "usd"],
      ["d", "1.0000", null],
      ["e", "1.0000", "XXQ"],
    ];
    expect(await builtIn([...good, ...bad])).toMatchObject({ rows: 5 });
  });

  it("a step has as many rows as what it conserves, together", async () => {
    const made = [
      await lab.relation("t", { id: "text" }, [["a"], ["b"], ["c"]]),
      await lab.relation("u", { id: "text" }, [["a"], ["b"]]),
      await lab.relation("previous.u", { id: "text" }, [["c"]]),
    ];
    const of = [RelationRef.parse("u"), RelationRef.parse("previous.u")];
    const both = planConserves(of, subject, lab.engine.dialect);
    expect(both.reads).toEqual(of);
    expect(await lab.judge(both, made)).toBeNull();
    const one = planConserves(of.slice(0, 1), subject, lab.engine.dialect);
    expect(await lab.judge(one, made)).toEqual({
      message: "it has 3 rows where u (2) have 2",
      rows: 0,
    });
  });

  it("an input's key is there, and there once", async () => {
    const t = await lab.relation("t", { id: "text" }, [["a"], ["a"], [null]]);
    const plans = planKey(
      [ColumnName.parse("id")],
      { ...subject, columns: t.columns },
      lab.engine.dialect,
    );
    const faults = await Promise.all(plans.map((p) => lab.judge(p, [t])));
    expect(faults.map((f) => f?.rows)).toEqual([1, 2]);
  });
});
