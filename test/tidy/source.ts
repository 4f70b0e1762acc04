import { posix } from "node:path";
import ts from "typescript";

/** One name that a module takes from another. `*` is everything. */
export interface Import {
  readonly specifier: string;
  /** Path of the imported file from the project's folder; null for a package or a Node module. */
  readonly target: string | null;
  readonly names: readonly string[];
  readonly line: number;
}

export interface Export {
  readonly name: string;
  readonly line: number;
}

/** A TypeScript file as the rules see it. `file` is its path from the project's folder. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
}

/** What a rule says about one place, and what to do instead. */
export interface Complaint {
  readonly file: string;
  readonly line: number;
  readonly says: string;
}

export function sourceOf(file: string, text: string): Source {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const imports = descendants(tree).flatMap((node) => importOf(node, tree));
  return { file, text, lines: text.split("\n"), tree, imports, exports: exportsOf(tree) };
}

/** All nodes below `node`, parents before children. */
export function descendants(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    found.push(child);
    ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return found;
}

export function lineOf(node: ts.Node): number {
  const tree = node.getSourceFile();
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/** The specifier and names of every way to reach another module, the lazy ones included. */
function importOf(node: ts.Node, tree: ts.SourceFile): Import[] {
  if (ts.isImportDeclaration(node))
    return taken(node.moduleSpecifier, namesOf(node.importClause), tree);
  if (ts.isExportDeclaration(node) && node.moduleSpecifier)
    return taken(node.moduleSpecifier, reexported(node), tree);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return taken(node.argument.literal, [node.qualifier?.getText(tree) ?? "*"], tree);
  if (ts.isCallExpression(node) && loads(node)) return taken(node.arguments[0], ["*"], tree);
  return [];
}

function loads(call: ts.CallExpression): boolean {
  return (
    call.expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(call.expression) && /^(require|load)$/.test(call.expression.text)) ||
    (ts.isCallExpression(call.expression) && /createRequire$/.test(nameOf(call.expression)))
  );
}

function nameOf(call: ts.CallExpression): string {
  return call.expression.getText();
}

function taken(at: ts.Node | undefined, names: readonly string[], tree: ts.SourceFile): Import[] {
  if (!at || !ts.isStringLiteral(at)) return [];
  return [
    { specifier: at.text, target: resolved(tree.fileName, at.text), names, line: lineOf(at) },
  ];
}

function resolved(from: string, specifier: string): string | null {
  if (!specifier.startsWith(".")) return null;
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, ".ts");
}

function namesOf(clause: ts.ImportClause | undefined): string[] {
  if (!clause) return [];
  const own = clause.name ? ["default"] : [];
  const bound = clause.namedBindings;
  if (!bound) return own;
  if (ts.isNamespaceImport(bound)) return [...own, "*"];
  return [...own, ...bound.elements.map((e) => (e.propertyName ?? e.name).text)];
}

function reexported(node: ts.ExportDeclaration): string[] {
  const clause = node.exportClause;
  if (!clause || !ts.isNamedExports(clause)) return ["*"];
  return clause.elements.map((e) => (e.propertyName ?? e.name).text);
}

function exportsOf(tree: ts.SourceFile): Export[] {
  return tree.statements.flatMap((statement) => {
    if (ts.isExportAssignment(statement)) return [{ name: "default", line: lineOf(statement) }];
    if (ts.isExportDeclaration(statement)) return namedExports(statement);
    const flags = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!flags.some((m) => m.kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (flags.some((m) => m.kind === ts.SyntaxKind.DefaultKeyword))
      return [{ name: "default", line: lineOf(statement) }];
    return declared(statement).map((name) => ({ name, line: lineOf(statement) }));
  });
}

function namedExports(node: ts.ExportDeclaration): Export[] {
  const clause = node.exportClause;
  if (!clause || !ts.isNamedExports(clause)) return [];
  return clause.elements.map((e) => ({ name: e.name.text, line: lineOf(e) }));
}

/** The names that a statement declares. */
export function declared(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((d) => d.name.getText());
  const name = (statement as ts.DeclarationStatement).name;
  return name ? [name.getText()] : [];
}
