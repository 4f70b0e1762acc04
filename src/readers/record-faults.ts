/**
 * Why a record is not a row, before any of its values is looked at; a copy names one by its place
 * here.
 */
export const RECORD_FAULTS = [
  {
    code: "BAD_QUOTE",
    reason: "a quote is not closed, or stands next to a quoted field's end or start",
  },
  { code: "RECORD_TOO_LONG", reason: "the record is longer than 1 MiB; is a quote not closed?" },
  { code: "BAD_UTF8", reason: "the record holds bytes that are not UTF-8" },
  { code: "TOO_FEW_FIELDS", reason: "the record has fewer fields than there are columns" },
  { code: "TOO_MANY_FIELDS", reason: "the record has more fields than there are columns" },
] as const;
export type RecordFault = (typeof RECORD_FAULTS)[number]["code"];
