import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { workplace } from "../e2e/product.js";
import { parse, play, textOf } from "./transcript.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** `TRANSCRIPTS=write` puts what happens in the place of what was expected, for a person to read. */
const WRITE = process.env.TRANSCRIPTS === "write";

describe("the command line says, word for word,", () => {
  const files = readdirSync(HERE).filter((name) => name.endsWith(".txt"));
  test.each(files)("what %s shows", { timeout: 300_000 }, async (name) => {
    const expected = readFileSync(`${HERE}${name}`, "utf8");
    const folder = workplace();
    try {
      const actual = textOf(await play(parse(expected), folder));
      if (WRITE) writeFileSync(`${HERE}${name}`, actual);
      else expect(actual).toBe(expected);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
