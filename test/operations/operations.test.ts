import { describe, expect, test } from "vitest";
import { flagsOf } from "../../src/faces/flags.js";
import type { Desk } from "../../src/operations/operation.js";
import { ask, OPERATIONS, operationsOf } from "../../src/operations.js";

const nothing = (): never => {
  throw new Error("this should not have been reached");
};
const desk: Desk = {
  step: null,
  effects: nothing,
  jobs: nothing,
  job: nothing,
  kept: nothing,
  configuration: nothing,
  doctor: nothing,
};

describe.each(OPERATIONS.map((op) => [op.name, op] as const))("%s", (name, op) => {
  test("says what it is, and what each of its inputs is", () => {
    expect(op.says).toMatch(/^[A-Z].*\.$/);
    const silent = flagsOf(op).filter((f) => f.says === "");
    expect(silent.map((f) => f.field)).toEqual(name === "aggregate" ? ["by"] : []);
  });

  test("takes by position only what it takes", () => {
    const fields = Object.keys(op.input.shape);
    for (const field of op.positional) expect(fields).toContain(field);
  });

  test("refuses an input that it does not know", async () => {
    const asked = ask(name, { nonsense: 1 }, desk);
    await expect(asked).rejects.toMatchObject({ code: "USAGE", subject: name });
    await expect(asked).rejects.toThrow(/nonsense/);
  });
});

test("a mistyped input is refused with the nearest, a mistyped operation too", async () => {
  const asked = ask("head", { run: "refunds-2026-08-10", relatoin: "ledger" }, desk);
  await expect(asked).rejects.toThrow("relatoin (did you mean relation?)");
  await expect(ask("haed", {}, desk)).rejects.toMatchObject({ code: "USAGE", remedy: "use head" });
});

test("each mistake of an input is told once", async () => {
  const asked = ask("head", { run: "a b", relation: "ledger", n: 0 }, desk);
  const told = await asked.catch((e: Error) => e.message);
  expect(`${told}`.match(/(^|; )\w+: /g)).toEqual(["run: ", "; n: "]);
});

test("at a step nothing can be asked but reads, compute and finish", async () => {
  const step = operationsOf({
    run_id: "refunds-2026-08-10" as never,
    step: { name: "discrepancies" } as never,
    relations: () => [],
    kindOf: nothing,
    engine: { ask: nothing } as never,
    compute: nothing,
    finish: nothing,
    finished: () => false,
  });
  for (const { name, kind } of OPERATIONS) {
    if (kind !== "read" && kind !== "compute")
      await expect(step(name, {})).rejects.toMatchObject({ code: "REFUSED" });
  }
  expect(await step("describe", {})).toMatchObject({ relations_total: 0 });
});
