import type { Format } from "./format.js";

/** A sheet has 1,048,576 lines, one of them the header. */
export const SHEET_ROWS = 1_048_575;
/** UTF-16 units of one text cell. */
export const CELL_UNITS = 32_767;

/**
 * A workbook of one sheet: for people. Its numbers are doubles and its dates start in March 1900.
 */
export const xlsx: Format = {
  name: "xlsx",
  twin: true,
  limits: { rows: SHEET_ROWS, columns: 16_384 },
  loses: [
    "rows past 1,048,575: counted, said on a last sheet, and all in the twin",
    "numbers of more than 15 digits: they are text cells with every digit",
    "dates before 1900-03-01 and fractions of a second: they are text cells",
  ],
};
