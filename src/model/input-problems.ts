import { type Columns, columnsProblems, unknownColumns } from "./column-problems.js";
import { type ColumnType, isNumeric, typeOf, typeText } from "./columns.js";
import type { InputColumnSpec, InputSpec, Job } from "./job.js";
import { type DocumentPath, type Problem, wrong } from "./mistake.js";

/** What is wrong between the parts of the inputs. */
export function inputProblems(inputs: Job["inputs"]): Problem[] {
  return Object.entries(inputs).flatMap(([name, spec]) => inputProblem(["inputs", name], spec));
}

function inputProblem(path: DocumentPath, spec: InputSpec): Problem[] {
  const columns: Columns = new Map(
    Object.entries(spec.columns).map(([name, c]) => [name, typeOf(c.type)]),
  );
  return [
    ...columnsProblems([...path, "columns"], columns),
    ...unknownColumns([...path, "key"], spec.key ?? [], columns),
    ...Object.entries(spec.columns).flatMap(([name, c]) => {
      const here = [...path, "columns", name];
      return [...dialect(here, c, typeOf(c.type)), ...marker(here, name, c, columns)];
    }),
    ...headers(path, spec),
  ];
}

/** A column's way of writing must be one that its type has. */
function dialect(path: DocumentPath, c: InputColumnSpec, type: ColumnType): Problem[] {
  const found: Problem[] = [];
  const only = (key: keyof InputColumnSpec, fits: boolean, on: string): void => {
    if (c[key] === undefined || fits) return;
    found.push(
      wrong([...path, key], `${key} on a ${typeText(type)} column`, `${key} only on ${on}`),
    );
  };
  for (const key of ["decimal", "thousands", "negative"] as const)
    only(key, isNumeric(type), "integer, decimal and money");
  only("pattern", type.kind === "date" || type.kind === "timestamp", "date and timestamp");
  if (c.blank === "keep" && type.kind !== "text")
    found.push(
      wrong([...path, "blank"], `blank: keep on a ${typeText(type)} column`, "reject or null"),
    );
  if (c.thousands !== undefined && c.thousands === (c.decimal ?? ".")) {
    const decimal = c.decimal === undefined ? "the decimal sign, . by default" : "the decimal sign";
    const message = `thousands ${JSON.stringify(c.thousands)} is also ${decimal}`;
    found.push(wrong([...path, "thousands"], message, "two different signs"));
  }
  return found;
}

function marker(path: DocumentPath, name: string, c: InputColumnSpec, columns: Columns): Problem[] {
  const own = `${name}_marker`;
  if (c.markers === undefined) return [];
  const at = [...path, "markers"];
  if (columns.has(own))
    return [wrong(at, `its markers go to ${own}, which is a column`, `no other column ${own}`)];
  if (own.length <= 63) return [];
  return [
    wrong(at, `its markers go to ${own}, which is too long`, "a name of at most 56 characters"),
  ];
}

/** A header names each column once, and only where there is one. */
function headers(path: DocumentPath, { columns, csv }: InputSpec): Problem[] {
  const taken = new Map<string, string>();
  return Object.entries(columns).flatMap(([name, c]): Problem[] => {
    const at = [...path, "columns", name, "header"];
    const header = c.header ?? name;
    const other = taken.get(header);
    taken.set(header, name);
    if (csv?.header === false)
      return c.header === undefined ? [] : [wrong(at, "the file has no header", "no header here")];
    const message = `column ${other} has the header ${JSON.stringify(header)} too`;
    return other === undefined ? [] : [wrong(at, message, "each header once")];
  });
}
