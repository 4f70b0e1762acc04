import { describe, expect, test } from "vitest";
import { BROKEN } from "./tidy/broken.js";
import { DOORS, LONG, OFFERED } from "./tidy/house.js";
import { prose } from "./tidy/prose.js";
import * as rules from "./tidy/rules.js";
import { type Complaint, type Source, sourceOf } from "./tidy/source.js";
import { texts } from "./tidy/tree.js";

const RULES: Readonly<Record<string, (all: readonly Source[]) => Complaint[]>> = {
  ...rules,
  prose,
};
const TREE = texts();
const TYPESCRIPT = TREE.filter(
  ({ file }) => file.endsWith(".ts") && !file.startsWith("fixtures/broken/"),
).map(({ file, text }) => sourceOf(file, text));

describe("the house keeps its rules", () => {
  test.each(Object.keys(rules))("%s", (name) => {
    expect(told(RULES[name]?.(TYPESCRIPT) ?? [])).toEqual([]);
  });
  test("prose", () => {
    expect(told(prose(TREE))).toEqual([]);
  });
});

describe("every rule reports what breaks it, and says what to do instead", () => {
  test.each(Object.keys(RULES))("%s", (name) => {
    const broken = BROKEN[name] ?? [];
    expect(broken.length).toBeGreaterThan(0);
    for (const { files, says } of broken) {
      const sources = Object.entries(files).map(([file, text]) => sourceOf(file, text));
      const complaints = told(RULES[name]?.(sources) ?? []);
      expect(complaints.join("\n")).toContain(says);
      expect(complaints.every((c) => /^[^:]+:\d+ ./.test(c))).toBe(true);
    }
  });
});

test("an exception that nothing needs any more is taken out of its list", () => {
  const files = new Set(TREE.map(({ file }) => file));
  const named = [...Object.keys(LONG), ...OFFERED.map((o) => o.file)];
  expect(named.filter((file) => !files.has(file))).toEqual([]);
  const doors = DOORS.filter((d) => files.has(`src/${d.to}`) && hasAny(files, `src/${d.from}`));
  const used = (d: (typeof DOORS)[number]): boolean =>
    TYPESCRIPT.some(
      (s) =>
        s.file.startsWith(`src/${d.from}`) && s.imports.some((i) => i.target === `src/${d.to}`),
    );
  expect(doors.filter((d) => !used(d)).map((d) => `${d.from} → ${d.to}`)).toEqual([]);
});

function hasAny(files: ReadonlySet<string>, start: string): boolean {
  return [...files].some((file) => file.startsWith(start));
}

function told(complaints: readonly Complaint[]): string[] {
  return complaints.map(({ file, line, says }) => `${file}:${line} ${says}`);
}
