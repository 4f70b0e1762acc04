/**
 * For every rule the smallest files that break it, and a part of what the rule must say. A rule that
 * no example here can break would be no rule.
 */
export interface Broken {
  readonly files: Readonly<Record<string, string>>;
  readonly says: string;
}

const OK = "export const x = 1;\n";
/** `parts` joined, for words that the prose rule must not find in this file itself. */
const word = (...parts: readonly string[]): string => parts.join("");

export const BROKEN: Readonly<Record<string, readonly Broken[]>> = {
  layers: [
    {
      files: { "src/model/a.ts": 'import type { Store } from "../stores/store.js";' },
      says: "model/ may not import stores/store.ts",
    },
    {
      files: { "src/queries/head.ts": 'import { d } from "../dialects/duckdb.js";' },
      says: "queries/ may not import dialects/duckdb.ts",
    },
    {
      files: { "src/stages/pin.ts": 'const lazy = await import("./claim.js");' },
      says: "stages/ may not import stages/claim.ts",
    },
    {
      files: { "src/stages/pin.ts": 'import { hold } from "../acts/hold.js";' },
      says: "stages/ may not import acts/hold.ts",
    },
    {
      files: { "src/faces/cli.ts": 'import { walk } from "../stages/walk.js";' },
      says: "faces/ may not import stages/walk.ts",
    },
    {
      files: { "src/model/a.ts": 'let s: import("../effects.js").Effects;' },
      says: "model/ may not import effects.ts",
    },
    { files: { "src/stuff/a.ts": OK }, says: "stuff/ is no room of the house" },
  ],
  cycles: [
    {
      files: {
        "src/model/a.ts": 'import { b } from "./b.js";',
        "src/model/b.ts": 'export { c as b } from "./c.js";',
        "src/model/c.ts": 'import type { A } from "./a.js";',
      },
      says: "src/model/a.ts → src/model/b.ts → src/model/c.ts → src/model/a.ts",
    },
  ],
  vendors: [
    {
      files: { "src/stages/a.ts": 'import { DuckDBInstance } from "@duckdb/node-api";' },
      says: "@duckdb/node-api belongs in",
    },
    {
      files: { "src/model/a.ts": 'import { chunk } from "lodash/fp";' },
      says: "lodash has no file",
    },
  ],
  nodeModules: [
    {
      files: { "src/stages/a.ts": 'import { readFile } from "node:fs/promises";' },
      says: "take a Folder, Store or Source",
    },
    {
      files: { "src/queries/a.ts": 'import { join } from "node:path";' },
      says: "ask model/layout.ts for the path",
    },
    { files: { "src/wire.ts": 'import net from "node:net";' }, says: "node:net has no place" },
  ],
  bans: [
    { files: { "src/model/a.ts": "const t = Date.now();" }, says: "fx.clock.now()" },
    { files: { "src/model/a.ts": "const t = new Date();" }, says: "(clock)" },
    { files: { "src/stages/a.ts": "setTimeout(() => 1, 5);" }, says: "fx.clock.every" },
    { files: { "src/model/a.ts": "const r = Math.random();" }, says: "(randomness)" },
    {
      files: { "src/folders/a.ts": 'import { randomUUID } from "node:crypto";' },
      says: "(randomness)",
    },
    { files: { "src/stages/a.ts": "const h = process.env.HOME;" }, says: "(environment)" },
    { files: { "src/stages/a.ts": "process.exit(1);" }, says: "bin.ts alone ends the process" },
    { files: { "src/stages/a.ts": "process.kill(pid);" }, says: "close the engine" },
    { files: { "src/stages/a.ts": 'console.log("x");' }, says: "fx.log" },
    { files: { "src/engines/a.ts": "await r.getRowObjectsJS();" }, says: "(float rows)" },
    { files: { "src/model/a.ts": 'const n = parseFloat("1.005");' }, says: "(float text)" },
    { files: { "src/model/a.ts": "const n = (1.005).toFixed(2);" }, says: "(float text)" },
    {
      files: { "src/model/a.ts": "names.sort((a, b) => a.localeCompare(b));" },
      says: "(locale order)",
    },
  ],
  types: [
    { files: { "src/model/a.ts": "let a: any = 1;" }, says: "use unknown" },
    { files: { "src/model/a.ts": "const a = b as any;" }, says: "use unknown" },
    { files: { "src/model/a.ts": "const a = b as unknown as C;" }, says: "a double cast" },
    { files: { "src/model/a.ts": "export default 1;" }, says: "export it by name" },
    { files: { "src/model/a.ts": "export default function f() {}" }, says: "export it by name" },
    {
      files: { "src/model/a.ts": "// @ts-ignore\nlet a: string = 1;" },
      says: "make the type true",
    },
  ],
  sizes: [
    { files: { "src/model/a.ts": "const a = 1;\n".repeat(301) }, says: "301 lines: split it" },
    { files: { "src/model/a.ts": `const a = "${"x".repeat(100)}";` }, says: "113 columns" },
    {
      files: { "src/model/a.ts": `function f() {\n${"g();\n".repeat(70)}}` },
      says: "a function of 72 lines",
    },
    {
      files: { "src/model/a.ts": `function f() { ${"if (a) { ".repeat(5)}${"} ".repeat(6)}` },
      says: "blocks 6 deep",
    },
  ],
  unusedExports: [
    { files: { "src/model/a.ts": OK }, says: "x is exported and nothing imports it" },
    {
      files: {
        "src/model/a.ts": OK,
        "test/model/a.test.ts": 'import { x } from "../../src/model/a.js";',
      },
      says: "x is exported and only a test imports it",
    },
  ],
  names: [
    { files: { "src/model/utils.ts": OK }, says: "name the file after what it gives" },
    { files: { "test/helpers/a.ts": OK }, says: "name the file after what it gives" },
    { files: { "src/stages/claim-manager.ts": OK }, says: "name the file after what it gives" },
  ],
  contracts: [{ files: { "src/stores/dir.ts": OK }, says: "the singular file of its name" }],
  prose: [
    { files: { "src/model/a.ts": word("// TO", "DO later") }, says: "a left-over" },
    { files: { "test/a.test.ts": word("it.sk", 'ip("x", f);') }, says: "a left-over" },
    { files: { "README.md": word("see /ho", "me/ann/data") }, says: "a path of one machine" },
    { files: { "src/model/a.ts": word("// see FA", "CTS") }, says: "the project does not have" },
  ],
};
