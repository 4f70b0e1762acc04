import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { helpTexts } from "../../src/faces/cli.js";
import { PROJECT } from "../e2e/product.js";

const { version } = JSON.parse(readFileSync(`${PROJECT}package.json`, "utf8"));
const texts = helpTexts(version);

test("the help that was made at build time is the command line's own", () => {
  expect(JSON.parse(readFileSync(`${PROJECT}dist/help.json`, "utf8"))).toEqual(texts);
});

test("--help loads nothing but the executable and its texts", () => {
  const alone = mkdtempSync(`${tmpdir()}/tieout-`);
  for (const file of ["bin.js", "help.json"])
    copyFileSync(`${PROJECT}dist/${file}`, `${alone}/${file}`);
  writeFileSync(`${alone}/package.json`, '{ "type": "module" }');
  const said = (...args: string[]) =>
    execFileSync(process.execPath, [`${alone}/bin.js`, ...args], { encoding: "utf8" });
  expect(said("--help")).toBe(texts[""]);
  expect(said()).toBe(texts[""]);
  for (const name of Object.keys(texts).filter((n) => n !== "")) {
    expect(said(name, "--help")).toBe(texts[name]);
  }
  rmSync(alone, { recursive: true });
});
