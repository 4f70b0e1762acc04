// Writes docs/cli.md from the table of operations. With --check it writes nothing and fails where
// the page has drifted.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { flagsOf } from "../src/faces/flags.js";
import { CODES } from "../src/model/errors.js";
import { type AnyOperation, OPERATIONS } from "../src/operations.js";

type Schema = z.core.JSONSchema.BaseSchema;

const COMMON = `# The command line

Made from \`src/operations.ts\` by \`npx tsx scripts/cli-page.ts\`; a test fails when it is out of date.

\`\`\`
tieout <command> [arguments] [flags]
\`\`\`

Answers go to standard output, everything else to standard error. \`--json\` prints the answer as one JSON
document, and an error as one line of JSON, the last on standard error:
\`{"code", "subject", "message", "remedy", "at"?, "mistakes"?, "findings"?}\`.
Unknown commands, flags and names are refused with the nearest one that there is. Amounts and other exact
decimals are strings; counts are integers; times are ISO 8601 in UTC. Fields may be added in a minor version;
the ones below keep their names, types and meaning.

Every setting of \`tieout.yaml\` is also a flag (\`store.dir\` is \`--store-dir\`) and a variable
(\`TIEOUT_STORE_DIR\`); flags win over variables, variables over the nearest \`tieout.yaml\`, that over the
defaults. \`tieout config\` shows each value and its origin. Unless standard error is a terminal, events are
logged to it, a line each: as text, or as JSON with \`--log-format json\` or \`--json\` (\`--log-level silent\`
for none).

## Exit codes

`;

const CONDITION = `
A condition of \`--all\` is \`"<column> <operator> <value>"\`; give \`--all\` once for each, and a row must fulfil
all of them. What follows the operator is the value as it stands, spaces included. The values of \`in\` and the
two of \`between\` (both ends included) are separated by \`|\`; \`is_null\` and \`not_null\` have none.
`;

function page(): string {
  const commands = OPERATIONS.filter((op) => op.kind !== "compute");
  return `${COMMON}${exitTable()}\n${commands.map(section).join("\n")}`;
}

function exitTable(): string {
  const byExit = new Map<number, string[]>();
  for (const [code, exit] of Object.entries(CODES)) {
    byExit.set(exit, [...(byExit.get(exit) ?? []), `\`${code}\``]);
  }
  const rows = [...byExit].sort(([a], [b]) => a - b);
  const coded = rows.map(([exit, codes]) => [`${exit}`, codes.join(" ")]);
  return table(["exit", "codes"], [["0", "done"], ...coded, ["130", "`INTERRUPTED` by SIGINT"]]);
}

function section(op: AnyOperation): string {
  const flags = flagsOf(op);
  const takes = flags.map((f) => [
    f.positional ? `\`${f.field.replaceAll("_", "-")}\`` : `\`${f.flags}\``,
    f.required ? "yes" : "",
    f.says,
  ]);
  const words = flags
    .filter((f) => f.positional)
    .map((f) => (f.required ? ` <${f.field}>` : ` [${f.field}]`));
  const needed = flags.filter((f) => f.required && !f.positional).map((f) => ` ${f.flags}`);
  const usage = `tieout ${op.name}${words.join("")}${needed.join("")}`;
  const answer = z.toJSONSchema(op.output);
  return [
    `## ${op.name}\n`,
    `${op.says}\n`,
    `\`\`\`\n${usage}\n\`\`\`\n`,
    ...(takes.length === 0 ? [] : [table(["takes", "required", ""], takes)]),
    ...(flags.some((f) => f.field === "all") ? [CONDITION] : []),
    `With \`--json\`:\n`,
    table(["field", "type", ""], fieldsOf(answer, "")),
  ].join("\n");
}

/** Every field of an answer under its path: \`artefacts[].path\`. */
function fieldsOf(schema: Schema, path: string): string[][] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (typeof property === "boolean") return [];
    const here = path === "" ? name : `${path}.${name}`;
    const { shape, suffix } = inside(property);
    const shown = required.has(name) ? `\`${here}${suffix}\`` : `\`${here}${suffix}\`?`;
    return [
      [shown, typeText(property), property.description ?? ""],
      ...fieldsOf(shape, `${here}${suffix}`),
    ];
  });
}

/** What an array holds, or what may be null. */
function inside(schema: Schema): { shape: Schema; suffix: string } {
  const { items } = schema;
  if (schema.type === "array" && typeof items === "object" && !Array.isArray(items)) {
    const deeper = inside(items);
    return { shape: deeper.shape, suffix: `[]${deeper.suffix}` };
  }
  const object = schema.anyOf?.find((s) => s.type === "object");
  return { shape: object ?? schema, suffix: "" };
}

function typeText(schema: Schema): string {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeText))].join(" or ");
  if (schema.enum !== undefined) return schema.enum.map((v) => `\`${v}\``).join(" ");
  if (schema.const !== undefined) return `\`${schema.const}\``;
  const { items } = schema;
  if (schema.type === "array" && typeof items === "object" && !Array.isArray(items)) {
    return `array of ${typeText(items)}`;
  }
  return [schema.type ?? "any"].flat().join(" or ");
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((c) => c.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("");
}

const path = fileURLToPath(new URL("../docs/cli.md", import.meta.url));
if (!process.argv.includes("--check")) writeFileSync(path, page());
else if (readFileSync(path, "utf8") !== page()) {
  process.stderr.write("docs/cli.md is out of date; run npx tsx scripts/cli-page.ts\n");
  process.exitCode = 1;
}
