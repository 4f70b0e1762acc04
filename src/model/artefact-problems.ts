import { type Columns, columnsProblems, unknownColumn, unknownColumns } from "./column-problems.js";
import { isMoney, isNumeric, typeOf, typeText } from "./columns.js";
import { nearest } from "./errors.js";
import {
  type ArtefactSpec,
  CHECK_KINDS,
  type CheckSpec,
  type FigureSpec,
  type Job,
  orderOf,
} from "./job.js";
import { type DocumentPath, type Problem, wrong } from "./mistake.js";

/** What is wrong between the parts of the declared artefacts. */
export function artefactProblems(artefacts: Job["artefacts"]): Problem[] {
  return Object.entries(artefacts).flatMap(([name, spec]) => {
    const path = ["artefacts", name];
    const columns = columnsOf(spec);
    return [
      ...columnsProblems([...path, "columns"], columns),
      ...spec.order_by.flatMap((item, i) => order([...path, "order_by", i], item, columns)),
      ...(spec.checks ?? []).flatMap((c, i) => check([...path, "checks", i], c, columns)),
      ...checkNames([...path, "checks"], spec.checks ?? []),
    ];
  });
}

function columnsOf(spec: ArtefactSpec): Columns {
  return new Map(Object.entries(spec.columns).map(([name, type]) => [name, typeOf(type)]));
}

function order(path: DocumentPath, item: string, columns: Columns): Problem[] {
  const { column, abs } = orderOf(item);
  const type = columns.get(column);
  if (type === undefined)
    return unknownColumn(path, column, columns, (c) => item.replace(column, c));
  if (!abs || isNumeric(type)) return [];
  const plain = item.replace(`abs(${column})`, column);
  return [wrong(path, `${column} is ${typeText(type)}`, "abs() only of a number", plain)];
}

function check(path: DocumentPath, spec: CheckSpec, columns: Columns): Problem[] {
  const kinds = CHECK_KINDS.filter((k) => spec[k] !== undefined);
  if (kinds.length !== 1) {
    const said = kinds.length === 0 ? "nothing" : kinds.join(" and ");
    return [wrong(path, `a check says ${said}`, `exactly one of ${CHECK_KINDS.join(", ")}`)];
  }
  const total = spec.control_total?.column;
  const type = total === undefined ? undefined : columns.get(total);
  const named = (
    [
      ["values", spec.values],
      ["range", spec.range],
      ["control_total", spec.control_total],
    ] as const
  ).flatMap(([kind, c]) =>
    c === undefined ? [] : unknownColumn([...path, kind, "column"], c.column, columns),
  );
  return [
    ...unknownColumns([...path, "unique"], spec.unique ?? [], columns),
    ...unknownColumns([...path, "not_null"], spec.not_null ?? [], columns),
    ...named,
    ...(type === undefined || isNumeric(type)
      ? []
      : [wrong([...path, "control_total", "column"], `${total} is ${typeText(type)}`, "a number")]),
  ];
}

function checkNames(path: DocumentPath, checks: readonly CheckSpec[]): Problem[] {
  return checks.flatMap(({ name }, i) => {
    if (name === undefined || checks.findIndex((c) => c.name === name) === i) return [];
    return [wrong([...path, i, "name"], `another check is named ${name}`, "a name of its own")];
  });
}

/** What is wrong with the figures: each is one aggregate, or the first rows, of an artefact. */
export function figureProblems({ figures = {}, artefacts }: Job): Problem[] {
  const names = Object.keys(artefacts);
  return Object.entries(figures).flatMap(([name, figure]) => {
    const path = ["figures", name];
    const [, spec] = Object.entries(artefacts).find(([a]) => a === figure.artefact) ?? [];
    if (spec !== undefined) return figureProblem(path, figure, columnsOf(spec));
    const message = `no artefact ${figure.artefact}`;
    const near = nearest(figure.artefact, names);
    return [wrong([...path, "artefact"], message, `one of ${names.join(", ")}`, near)];
  });
}

function figureProblem(path: DocumentPath, f: FigureSpec, columns: Columns): Problem[] {
  const either = "either aggregate, with a column except for count, or top with columns";
  if ((f.aggregate === undefined) === (f.top === undefined)) {
    const said = f.top === undefined ? "neither aggregate nor top" : "both aggregate and top";
    return [wrong(path, `a figure says ${said}`, either)];
  }
  if (f.top !== undefined) {
    if (f.columns === undefined) return [wrong(path, "top without columns", either)];
    if (f.column !== undefined)
      return [wrong([...path, "column"], "column beside top", "columns: [...] alone")];
    return unknownColumns([...path, "columns"], f.columns, columns);
  }
  if (f.columns !== undefined)
    return [wrong([...path, "columns"], `columns beside aggregate`, "column: one name")];
  if (f.aggregate === "count")
    return f.column === undefined
      ? []
      : [
          wrong(
            [...path, "column"],
            "count counts rows",
            "no column, or count_null, count_distinct",
          ),
        ];
  if (f.column === undefined) return [wrong(path, `${f.aggregate} without a column`, either)];
  return [
    ...unknownColumn([...path, "column"], f.column, columns),
    ...arithmetic([...path, "aggregate"], f, columns),
  ];
}

function arithmetic(
  path: DocumentPath,
  { aggregate, column }: FigureSpec,
  columns: Columns,
): Problem[] {
  const type = column === undefined ? undefined : columns.get(column);
  if (type === undefined || (aggregate !== "sum" && aggregate !== "avg")) return [];
  const message = `${aggregate} of ${column}, which is ${typeText(type)}`;
  if (!isNumeric(type)) return [wrong(path, message, `${aggregate} only of a number`)];
  if (aggregate === "avg" && isMoney(type))
    return [
      wrong(path, message, "sum, or a column made with money_div: an average of money is inexact"),
    ];
  return [];
}
