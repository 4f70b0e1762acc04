import { numberFormat } from "../formats/xlsx-cell.js";
import { columnLetters, xmlText } from "../formats/xlsx-text.js";
import { type ColumnType, typeOf } from "../model/columns.js";
import type { WriteRequest } from "./writer.js";

/** A column of the sheet: its type, letters, and the styles of its values and of its text cells. */
export interface BookColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly letters: string;
  readonly style: number;
}

/** A workbook as values: what is in it besides its rows. */
export interface Book {
  readonly columns: readonly BookColumn[];
  /** Rows of data on the sheet, and those that it has no room for. */
  readonly rows: number;
  readonly overflow: number;
  /**
   * Parts before the sheet, the sheet's name in the zip, its XML around the rows, and parts after.
   */
  readonly before: readonly { readonly name: string; readonly text: string }[];
  readonly sheet: { readonly name: string; readonly head: string; readonly tail: string };
  readonly after: readonly { readonly name: string; readonly text: string }[];
}

export const HEADER_STYLE = 1;
export const TEXT_STYLE = 2;
const FIRST_FORMAT = 164; // those below are the file format's own
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OOXML = "http://schemas.openxmlformats.org";
const MAIN = `${OOXML}/spreadsheetml/2006/main`;
const PACKAGE = "application/vnd.openxmlformats-package";
const RELATIONS = `${OOXML}/officeDocument/2006/relationships`;

/**
 * The workbook of a twin: one sheet of at most `limit` rows and, past them, a last one that says
 * so.
 */
export function bookOf({ twin, title }: Pick<WriteRequest, "twin" | "title">, limit: number): Book {
  const rows = Math.min(twin.rows, limit);
  const overflow = twin.rows - rows;
  const types = twin.columns.map((c) => typeOf(c.type));
  const formats = [...new Set(types.map(numberFormat).filter((f) => f !== null))];
  const columns = types.map((type, i) => {
    const format = numberFormat(type);
    const style = format === null ? TEXT_STYLE : TEXT_STYLE + 1 + formats.indexOf(format);
    return { name: twin.columns[i]?.name ?? "", type, letters: columnLetters(i), style };
  });
  const names = [sheetName(title), ...(overflow > 0 ? [NOTE] : [])];
  const range = `A1:${columns.at(-1)?.letters ?? "A"}${rows + 1}`;
  const file = twin.files[0]?.path.split("/").at(-1) ?? "";
  return {
    columns,
    rows,
    overflow,
    before: [
      { name: "[Content_Types].xml", text: contentTypes(names.length) },
      { name: "_rels/.rels", text: relations([["officeDocument", "xl/workbook.xml"]]) },
      { name: "xl/workbook.xml", text: workbook(names, range) },
      { name: "xl/_rels/workbook.xml.rels", text: workbookRelations(names.length) },
      { name: "xl/styles.xml", text: styles(formats) },
    ],
    sheet: { name: sheetPart(1), head: head(columns), tail: tail(range) },
    after: overflow > 0 ? [{ name: sheetPart(2), text: note(rows, twin.rows, file) }] : [],
  };
}

/** The sheet that says what is missing. */
const NOTE = "tieout";

/**
 * A title as a sheet's name: at most 31 UTF-16 units, without the signs that a sheet may not have.
 */
function sheetName(title: string): string {
  const plain = title.replace(/[[\]:*?/\\\p{Cc}\ufffe\uffff]+/gu, " ");
  const short = plain
    .slice(0, 31)
    .replace(/[\ud800-\udbff]$/, "")
    .replace(/^['\s]+|['\s]+$/g, "");
  const taken = ["", NOTE, "history"].includes(short.toLowerCase());
  return taken ? `${short} rows`.trim() : short;
}

function sheetPart(n: number): string {
  return `xl/worksheets/sheet${n}.xml`;
}

function head(columns: readonly BookColumn[]): string {
  const widths = columns.map(
    (c, i) => `<col min="${i + 1}" max="${i + 1}" width="${widthOf(c)}" customWidth="1"/>`,
  );
  return (
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>' +
    `</sheetViews><cols>${widths.join("")}</cols><sheetData>`
  );
}

function tail(range: string): string {
  return `</sheetData><autoFilter ref="${range}"/></worksheet>`;
}

/** Room for the header and the filter's arrow, and for the longest date or a usual number. */
function widthOf({ name, type }: BookColumn): number {
  const least = type.kind === "timestamp" ? 22 : type.kind === "boolean" ? 8 : 12;
  return Math.max(least, name.length + 4);
}

function note(rows: number, of: number, file: string): string {
  const lines = [
    ["rows in full", of],
    ["rows in this workbook", rows],
    ["rows that it has no room for", of - rows],
    ["file with every row", file],
  ] as const;
  const cells = lines.map(([what, value], i) => {
    const text = `<is><t xml:space="preserve">${xmlText(String(value))}</t></is>`;
    const at = `r="B${i + 1}"`;
    const cell =
      typeof value === "number"
        ? `<c ${at}><v>${value}</v></c>`
        : `<c ${at} t="inlineStr">${text}</c>`;
    const label = `<c r="A${i + 1}" t="inlineStr"><is><t>${what}</t></is></c>`;
    return `<row r="${i + 1}">${label}${cell}</row>`;
  });
  const wide = '<cols><col min="1" max="2" width="32" customWidth="1"/></cols>';
  const data = `<sheetData>${cells.join("")}</sheetData>`;
  return `${XML}<worksheet xmlns="${MAIN}">${wide}${data}</worksheet>`;
}

function contentTypes(sheets: number): string {
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const override = (part: string, kind: string): string =>
    `<Override PartName="/${part}" ContentType="${type}.${kind}+xml"/>`;
  const parts = Array.from({ length: sheets }, (_, i) => override(sheetPart(i + 1), "worksheet"));
  return (
    `${XML}<Types xmlns="${OOXML}/package/2006/content-types">` +
    `<Default Extension="rels" ContentType="${PACKAGE}.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/>` +
    `${override("xl/workbook.xml", "sheet.main")}` +
    `${override("xl/styles.xml", "styles")}${parts.join("")}</Types>`
  );
}

function relations(list: readonly (readonly [kind: string, target: string])[]): string {
  const each = list.map(
    ([kind, target], i) =>
      `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/${kind}" Target="${target}"/>`,
  );
  const name = "Relationships";
  return `${XML}<${name} xmlns="${OOXML}/package/2006/relationships">${each.join("")}</${name}>`;
}

function workbookRelations(sheets: number): string {
  const parts = Array.from(
    { length: sheets },
    (_, i) => ["worksheet", `worksheets/sheet${i + 1}.xml`] as const,
  );
  return relations([...parts, ["styles", "styles.xml"]]);
}

function workbook(names: readonly string[], range: string): string {
  const sheets = names.map(
    (name, i) => `<sheet name="${attribute(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
  );
  const quoted = `'${(names[0] ?? "").replaceAll("'", "''")}'`;
  const fixed = range.replace(/([A-Z]+)(\d+)/g, "$$$1$$$2");
  return (
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.join("")}</sheets>` +
    '<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">' +
    `${xmlText(`${quoted}!${fixed}`)}</definedName></definedNames></workbook>`
  );
}

/** Cell formats by index: plain, header, text, then one for each number format. */
function styles(formats: readonly string[]): string {
  const id = (i: number): number => FIRST_FORMAT + i;
  const codes = formats.map(
    (code, i) => `<numFmt numFmtId="${id(i)}" formatCode="${attribute(code)}"/>`,
  );
  const custom =
    codes.length === 0 ? "" : `<numFmts count="${codes.length}">${codes.join("")}</numFmts>`;
  const xf = (format: number, font: number): string =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0"` +
    ` applyNumberFormat="1"${font === 0 ? "" : ' applyFont="1"'}/>`;
  const xfs = [xf(0, 0), xf(49, 1), xf(49, 0), ...formats.map((_, i) => xf(id(i), 0))];
  const font = (bold: string): string => `<font>${bold}<sz val="11"/><name val="Calibri"/></font>`;
  return (
    `${XML}<styleSheet xmlns="${MAIN}">${custom}` +
    `<fonts count="2">${font("")}${font("<b/>")}</fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
    '<fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${xfs.length}">${xfs.join("")}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
    "</styleSheet>"
  );
}

function attribute(text: string): string {
  return xmlText(text).replaceAll('"', "&quot;");
}
