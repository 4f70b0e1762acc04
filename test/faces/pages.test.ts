import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { PROJECT } from "../e2e/product.js";

test("docs/cli.md is what the operations say; else run npx tsx scripts/cli-page.ts", () => {
  execFileSync("npx", ["tsx", "scripts/cli-page.ts", "--check"], { cwd: PROJECT, stdio: "pipe" });
});

test("every example of docs/library.md compiles against the library", { timeout: 120_000 }, () => {
  const page = readFileSync(`${PROJECT}docs/library.md`, "utf8");
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map((m) => m[1] ?? "");
  expect(examples.length).toBeGreaterThan(3);
  expect(problemsOf(examples)).toEqual([]);
});

test("an example that is wrong does not compile", { timeout: 120_000 }, () => {
  const wrong = 'import { head } from "tieout";\nawait head({ run: 1, relation: "ledger" });\n';
  expect(problemsOf([wrong])).not.toEqual([]);
});

/** What the compiler has to say of texts as files beside the page, with the project's own settings. */
function problemsOf(texts: readonly string[]): string[] {
  const config = ts.readConfigFile(`${PROJECT}tsconfig.json`, ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, PROJECT);
  const files = new Map(texts.map((text, n) => [`${PROJECT}docs/example-${n}.ts`, text]));
  const settings = { ...options, noEmit: true, paths: { tieout: [`${PROJECT}src/index.ts`] } };
  const host = ts.createCompilerHost(settings);
  const { readFile, fileExists } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, target) => {
    const text = host.readFile(name);
    return text === undefined ? undefined : ts.createSourceFile(name, text, target);
  };
  const program = ts.createProgram([...files.keys()], settings, host);
  return ts
    .getPreEmitDiagnostics(program)
    .filter((d) => d.file === undefined || files.has(d.file.fileName))
    .map((d) => ts.flattenDiagnosticMessageText(d.messageText, "\n"));
}
