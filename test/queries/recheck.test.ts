import { beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../src/engines/engine.js";
import { type Code, TieoutError } from "../../src/model/errors.js";
import { recheck } from "../../src/queries/recheck.js";
import { type Ground, layGround } from "../faults/cells.js";
import { startProcess } from "../faults/process.js";
import { DATES, EXPORTS, heldRun, loadCards } from "../faults/scenes.js";
import { memoryWorld } from "../faults/world.js";

let ground: Ground;
beforeAll(async () => {
  ground = await layGround();
});

/** Rechecks the first night with an engine that cannot make its first step again. */
async function recheckWith(code: Code) {
  const world = await memoryWorld(ground.kept);
  const tools = ground.tools(world.bytes);
  let asked = 0;
  const evaluate: Engine["evaluate"] = async (question) => {
    asked += 1;
    if (asked > 1) return tools.engine.evaluate(question);
    throw new TieoutError(code, { subject: "a step", cause: "It failed.", remedy: "Try again." });
  };
  const engine = { ...tools.engine, evaluate };
  const { fx } = startProcess(world, { exports: EXPORTS.first, ...tools, engine });
  return recheck(heldRun(await loadCards(), DATES.first).run_id, fx).finally(world.end);
}

describe("a step that cannot be made again", () => {
  test.each(["TIMEOUT", "MEMORY", "DISK", "DISK_FULL", "UNKNOWN", "INTERRUPTED"] as const)(
    "for what the machine lacked (%s) ends the recheck with that error, and nothing is called sound",
    (code) => expect(recheckWith(code)).rejects.toMatchObject({ code }),
  );

  test("for what its kept SQL is now refused for is named, and the recheck is not complete", async () => {
    const { complete, not_made_again } = await recheckWith("REFUSED");
    expect({ complete, some: not_made_again.length > 0 }).toEqual({ complete: false, some: true });
  });
});
