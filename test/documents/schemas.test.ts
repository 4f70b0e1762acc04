import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the schemas are what the model says; else run npm run schemas", () => {
  execFileSync("npx", ["tsx", "scripts/schemas.ts", "--check"], { stdio: "pipe" });
});

test.each(["job", "config"])("an editor can say of every field of %s what it is", (name) => {
  const schema: unknown = JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8"));
  expect(silent(schema, name)).toEqual([]);
});

/**
 * Fields of a schema without a description; a mapping with fields of its own speaks through them.
 */
function silent(node: unknown, path: string): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key !== "properties") return silent(value, path);
    return Object.entries(value).flatMap(([field, of]) => {
      const here = `${path}.${field}`;
      const told =
        typeof of === "object" && of !== null && ("description" in of || "properties" in of);
      return [...(told ? [] : [here]), ...silent(of, here)];
    });
  });
}
