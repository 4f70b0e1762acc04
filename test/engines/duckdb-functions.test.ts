import { expect, test } from "vitest";
import { insteadOf, isNeverAllowed } from "../../src/engines/duckdb-functions.js";

test("a remedy names allow only for a function that a job may allow", () => {
  for (const name of ["random", "uuid", "getenv", "read_csv", "soundex", "jaccard"]) {
    const told = insteadOf(name).includes("or name it in the job under allow");
    expect(told, name).toBe(!isNeverAllowed(name));
  }
});
