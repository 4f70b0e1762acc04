import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { PROJECT } from "./e2e/product.js";

/** What one event is written as, by a process of its own: the log writes to standard error itself. */
function logged(format: "text" | "json", level = "info"): string {
  const script =
    `import { eventLog } from "./src/log.ts";` +
    `eventLog("${level}", "${format}").info("pinned", { input: "two words", rows: 6412 });`;
  const { stderr, status } = spawnSync("npx", ["tsx", "--input-type=module", "-e", script], {
    cwd: PROJECT,
    encoding: "utf8",
  });
  expect(status).toBe(0);
  return stderr;
}

test("an event is one line of text: time, level, event, then fields that a shell can split", () => {
  expect(logged("text")).toMatch(/^\S+Z info pinned input="two words" rows=6412\n$/);
});

test("the same event as JSON keeps the types of its fields", () => {
  expect(JSON.parse(logged("json"))).toMatchObject({
    msg: "pinned",
    input: "two words",
    rows: 6412,
  });
});

test("a silent log writes nothing", () => {
  expect(logged("text", "silent")).toBe("");
});
