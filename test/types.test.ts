import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));

test("a wrong order, a forged state and an unparsed name do not compile", () => {
  const { config } = ts.readConfigFile(`${project}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, project);
  const roots = ["states", "names"].map((name) => `${project}test/types/${name}.ts`);
  const program = ts.createProgram(roots, options);
  const found = roots.flatMap((root) => problems(program, root));
  expect(found).toEqual([]);
});

function problems(program: ts.Program, file: string): string[] {
  const source = program.getSourceFile(file);
  const found = [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ];
  return found.map((d) => {
    const line = source?.getLineAndCharacterOfPosition(d.start ?? 0).line ?? 0;
    return `${file.slice(project.length)}:${line + 1} ${ts.flattenDiagnosticMessageText(d.messageText, " ")}`;
  });
}
