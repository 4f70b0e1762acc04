import ts from "typescript";
import {
  BANS,
  CONTRACTS,
  DOORS,
  LONG,
  NODE,
  OFFERED,
  ROOMS,
  SIZES,
  STAGES,
  VENDORS,
} from "./house.js";
import {
  type Complaint,
  declared,
  descendants,
  type Import,
  lineOf,
  type Source,
} from "./source.js";

/** Over all files at once, for some rules compare them. Pure: the same files give the same complaints. */
export type Rule = (all: readonly Source[]) => Complaint[];

/** `src/` files, and their path within it. */
function inSrc(all: readonly Source[]): { readonly s: Source; readonly path: string }[] {
  return all
    .filter((s) => s.file.startsWith("src/"))
    .map((s) => ({ s, path: s.file.slice("src/".length) }));
}

function each(all: readonly Source[], rule: (s: Source, path: string) => Complaint[]): Complaint[] {
  return inSrc(all).flatMap(({ s, path }) => rule(s, path));
}

function at(s: Source, line: number, says: string): Complaint {
  return { file: s.file, line, says };
}

function roomOf(path: string): string {
  const slash = path.indexOf("/");
  return slash < 0 ? path : path.slice(0, slash + 1);
}

export const layers: Rule = (all) =>
  each(all, (s, path) => {
    const room = roomOf(path);
    const may = ROOMS[room];
    if (!may) return [at(s, 1, `${room} is no room of the house: give it a row in tidy/house.ts`)];
    return s.imports.flatMap((i) => {
      const to = i.target?.replace(/^src\//, "");
      if (to === undefined || mayReach(path, to)) return [];
      const allowed = may.length > 0 ? may.join(" ") : "nothing but itself";
      return [at(s, i.line, `${room} may not import ${to}: it may import ${allowed}`)];
    });
  });

function mayReach(path: string, to: string): boolean {
  const room = roomOf(path);
  if (DOORS.some((d) => (d.from === path || d.from === room) && d.to === to)) return true;
  if (roomOf(to) === room) return !isStage(path) || !isStage(to);
  return (ROOMS[room] ?? []).some((m) => (m.endsWith("/") ? to.startsWith(m) : to === m));
}

function isStage(path: string): boolean {
  return STAGES.some((name) => path === `stages/${name}.ts`);
}

export const cycles: Rule = (all) => {
  const files = new Map(all.map((s) => [s.file, s]));
  const done = new Set<string>();
  const found: Complaint[] = [];
  const visit = (s: Source, trail: readonly string[]): void => {
    const from = trail.indexOf(s.file);
    if (from >= 0) {
      const ring = [...trail.slice(from), s.file].join(" → ");
      found.push(at(s, 1, `imports go round: ${ring}; move what both need to a third file`));
      return;
    }
    if (done.has(s.file)) return;
    for (const i of s.imports) {
      const next = i.target === null ? undefined : files.get(i.target);
      if (next) visit(next, [...trail, s.file]);
    }
    done.add(s.file);
  };
  for (const s of all) visit(s, []);
  return found;
};

export const vendors: Rule = (all) => {
  const users = inSrc(all).flatMap(({ s, path }) =>
    s.imports.filter(isPackage).map((i) => ({ s, path, i, package: packageOf(i.specifier) })),
  );
  return users.flatMap((u) => {
    const v = VENDORS.find((v) => v.package === u.package);
    if (!v)
      return [at(u.s, u.i.line, `${u.package} has no file: name its one file in tidy/house.ts`)];
    if (v.files.test(u.path)) return [];
    return [at(u.s, u.i.line, `${u.package} belongs in ${v.files.source}: take the port instead`)];
  });
};

function isPackage(i: Import): boolean {
  return i.target === null && !i.specifier.startsWith("node:");
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

export const nodeModules: Rule = (all) =>
  each(all, (s, path) =>
    s.imports
      .filter((i) => i.specifier.startsWith("node:"))
      .flatMap((i) => {
        const row = NODE.find((n) => n.module.test(i.specifier));
        if (row?.where.test(path)) return [];
        const instead = row?.instead ?? "give it a row in tidy/house.ts with its reason";
        return [at(s, i.line, `${i.specifier} has no place in ${path}: ${instead}`)];
      }),
  );

export const bans: Rule = (all) =>
  each(all, (s, path) =>
    descendants(s.tree).flatMap((node) => {
      const text = expressionOf(node);
      if (text === null) return [];
      return BANS.filter((b) => b.what.test(text) && !b.except.test(path)).map((b) =>
        at(s, lineOf(node), `${text} (${b.name}): ${b.instead}`),
      );
    }),
  );

/** What a ban is matched against: a dotted access, a bare called name, a `new Date()` without arguments. */
function expressionOf(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.getText().replace(/\s+|\?/g, "");
  if (ts.isNewExpression(node) && node.arguments?.length === 0) return node.getText();
  if (ts.isImportSpecifier(node)) return (node.propertyName ?? node.name).text;
  if (ts.isIdentifier(node) && ts.isCallExpression(node.parent)) return node.text;
  return null;
}

/** Casts, silenced errors and default exports. */
export const types: Rule = (all) =>
  each(all, (s) => [...descendants(s.tree).flatMap((n) => looseType(s, n)), ...silenced(s)]);

function looseType(s: Source, node: ts.Node): Complaint[] {
  if (node.kind === ts.SyntaxKind.AnyKeyword)
    return [at(s, lineOf(node), "any: use unknown and parse it with zod")];
  if (ts.isAsExpression(node) && ts.isAsExpression(node.expression))
    return [at(s, lineOf(node), "a double cast: parse the value, or fix the type it comes from")];
  if (ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword)
    return isDefaultExport(node) ? [at(s, lineOf(node), "default export: export it by name")] : [];
  return [];
}

function isDefaultExport(node: ts.Node): boolean {
  return ts.isExportAssignment(node) || !ts.isDefaultClause(node.parent);
}

const SILENCERS = ["ignore", "nocheck", "expect-error"].map((w) => `@ts-${w}`);
function silenced(s: Source): Complaint[] {
  return s.lines.flatMap((text, n) =>
    SILENCERS.filter((w) => text.includes(w)).map((w) => at(s, n + 1, `${w}: make the type true`)),
  );
}

export const sizes: Rule = (all) =>
  each(all, (s) => [
    ...longFile(s),
    ...longLines(s),
    ...descendants(s.tree).flatMap((n) => deep(s, n)),
  ]);

function longFile(s: Source): Complaint[] {
  const length = s.lines.length - 1;
  if (length <= SIZES.file || s.file in LONG) return [];
  return [at(s, length, `${length} lines: split it, or give LONG in tidy/house.ts the reason`)];
}

function longLines(s: Source): Complaint[] {
  return s.lines.flatMap((text, n) =>
    text.length > SIZES.columns
      ? [at(s, n + 1, `${text.length} columns: break the line at ${SIZES.columns}`)]
      : [],
  );
}

function deep(s: Source, node: ts.Node): Complaint[] {
  if (!ts.isFunctionLike(node) || !("body" in node) || !node.body) return [];
  const lines = node.getText().split("\n").length;
  const depth = depthOf(node.body as ts.Node);
  return [
    ...(lines > SIZES.function
      ? [at(s, lineOf(node), `a function of ${lines} lines: give its parts names`)]
      : []),
    ...(depth > SIZES.depth
      ? [at(s, lineOf(node), `blocks ${depth} deep: return early, or name the inner part`)]
      : []),
  ];
}

/** Blocks within blocks of one function; a function inside it counts for itself. */
function depthOf(node: ts.Node): number {
  let below = 0;
  ts.forEachChild(node, (child) => {
    if (!ts.isFunctionLike(child)) below = Math.max(below, depthOf(child));
  });
  return below + (ts.isBlock(node) || ts.isCaseBlock(node) ? 1 : 0);
}

/**
 * An export is used by another file that is no test; or at home, and it is a type that callers may want to name,
 * or a test needs to see it. Contracts are written before whoever uses them.
 */
export const unusedExports: Rule = (all) => {
  const takers = new Map<string, string[]>();
  for (const s of all)
    for (const i of s.imports)
      for (const name of i.names) add(takers, `${i.target}#${name}`, s.file);
  return each(all, (s, path) =>
    [...new Set(s.exports.map((e) => e.name))].flatMap((name) => {
      const by = [...(takers.get(`${s.file}#${name}`) ?? []), ...(takers.get(`${s.file}#*`) ?? [])];
      if (CONTRACTS.includes(path) || by.some((file) => !file.startsWith("test/"))) return [];
      if ((by.length > 0 || isType(s, name)) && usedAtHome(s, name)) return [];
      if (OFFERED.some((o) => o.file === s.file && (o.name === name || o.name === "*"))) return [];
      const why = by.length > 0 ? "only a test imports it" : "nothing imports it";
      const line = s.exports.find((e) => e.name === name)?.line ?? 1;
      return [at(s, line, `${name} is exported and ${why}: remove it, or the word export`)];
    }),
  );
};

function add(map: Map<string, string[]>, key: string, value: string): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

function isType(s: Source, name: string): boolean {
  return s.tree.statements.some(
    (n) => (ts.isInterfaceDeclaration(n) || ts.isTypeAliasDeclaration(n)) && n.name.text === name,
  );
}

function usedAtHome(s: Source, name: string): boolean {
  return s.tree.statements
    .filter((statement) => !declares(statement, name))
    .some((statement) => descendants(statement).some((n) => ts.isIdentifier(n) && n.text === name));
}

function declares(statement: ts.Statement, name: string): boolean {
  return declared(statement).includes(name);
}

const NO_NAMES = /(^|[/._-])(utils?|helpers?|common|managers?|services?|misc|lib)(\.ts$|\/|[-_.])/;
/** Real servers that tests start: services is what they are. */
const SERVERS = /^(test\/services\/|vitest\.services\.)/;
export const names: Rule = (all) =>
  all
    .filter((s) => NO_NAMES.test(s.file.replace(SERVERS, "").replace(/\.services\.ts$/, ".ts")))
    .map((s) => at(s, 1, `${s.file}: name the file after what it gives, not that it helps`));

/** A contract that another builder's room stands on must be where the table says. */
export const contracts: Rule = (all) => {
  const files = new Set(all.map((s) => s.file));
  return CONTRACTS.map((c) => `src/${c}`)
    .filter((file) => roomExists(file, files) && !files.has(file))
    .map((file) => ({ file, line: 1, says: "a room's contract is the singular file of its name" }));
};

function roomExists(contract: string, files: ReadonlySet<string>): boolean {
  const room = contract.slice(0, contract.lastIndexOf("/") + 1);
  return [...files].some((f) => f.startsWith(room));
}
