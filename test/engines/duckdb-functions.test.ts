import { expect, test } from "vitest";
import { insteadOf, insteadOfWindow, isNeverAllowed } from "../../src/engines/duckdb-functions.js";

const known = new Set(["random", "uuid", "getenv", "read_csv", "soundex", "jaccard", "upper"]);

test("a remedy names allow only for a function that the engine has and a job may allow", () => {
  for (const name of [...known, "sondex", "nonsense", "random_uid"]) {
    const told = insteadOf(name, known).includes("or name it in the job under allow");
    expect(told, name).toBe(known.has(name) && !isNeverAllowed(name));
  }
});

test("a mistyped function is sent to the nearest that SQL may call, accepted ones first", () => {
  expect(insteadOf("coalese", known)).toMatch(/^write coalesce /);
  expect(insteadOf("jacard", known)).toMatch(/^write jaccard /);
  expect(insteadOf("uid", known), "never one that is refused").not.toMatch(/uuid/);
});

test("over a window no remedy names allow, which is not asked there", () => {
  expect(insteadOfWindow("dense_rnk")).toBe("write dense_rank");
  expect(insteadOfWindow("percent_rank")).not.toMatch(/allow/);
});
