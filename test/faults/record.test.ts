import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { recordAnswers } from "./record.js";

test("the recorded answers are what DuckDB answers today", async () => {
  const kept = JSON.parse(readFileSync(new URL("recording.json", import.meta.url), "utf8"));
  expect(await recordAnswers(), "npx tsx test/faults/record.ts records them anew").toEqual(kept);
});
