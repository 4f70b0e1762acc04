import type { InputColumnSpec } from "../model/job.js";
import { spaced, type Typing } from "./misfits.js";

const FIRST = "0001-01-01";
const LAST = "9999-12-31";

/**
 * Dates: `YYYY-MM-DD`, or the declared pattern with its own number of digits. An engine's cast
 * takes 2026-11-29junk, 2026-1-2 and infinity, so a date counts only when it prints as its text.
 */
export function typeDate(spec: InputColumnSpec, text: string): Typing {
  const native = spec.pattern === undefined ? null : strptimeOf(spec.pattern, false);
  const described = spec.pattern ?? "YYYY-MM-DD";
  const written = (v: string): string =>
    native
      ? `strftime(${v}, '${native}') = ${text} AND ${v} BETWEEN '${FIRST}' AND '${LAST}'`
      : `CAST(${v} AS VARCHAR) = ${text} AND strlen(${text}) = 10`;
  return {
    attempt: native ? `try_strptime(${text}, '${native}')` : `TRY_CAST(${text} AS DATE)`,
    value: (v) => `CASE WHEN ${written(v)} THEN CAST(${v} AS DATE) END`,
    misfits: [
      spaced(text, "NOT_A_DATE"),
      { when: "true", code: "NOT_A_DATE", reason: `it is no date of the calendar as ${described}` },
    ],
  };
}

const LOCAL = "\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,6})?)?";
const OFFSET = "(?:Z|[+-]\\d\\d:\\d\\d)";

/**
 * Instants in UTC microseconds: `YYYY-MM-DD HH:MM[:SS[.ffffff]]` or with a T, in the column's zone,
 * or with an offset of its own; or the declared pattern, in the column's zone. A local time that
 * the zone skips, or has twice, is no instant.
 */
export function typeTimestamp(zone: string, spec: InputColumnSpec, text: string): Typing {
  const native = spec.pattern === undefined ? null : strptimeOf(spec.pattern, true);
  const attempt = native ? `try_strptime(${text}, '${native}')` : `TRY_CAST(${text} AS TIMESTAMP)`;
  const local = (v: string): string => {
    const prints = `CAST(${v} AS VARCHAR) = replace(${text}, 'T', ' ')`;
    const whole = `strlen(${text}) BETWEEN 19 AND 26`;
    return `(${prints} AND ${whole} OR regexp_full_match(${text}, '${LOCAL}'))`;
  };
  const written = (v: string): string =>
    native ? `strftime(${v}, '${native}') = ${text}` : local(v);
  const inside = (v: string): string => `${v} >= '${FIRST}' AND ${v} <= '${LAST} 23:59:59.999999'`;
  const offset = `TRY_CAST(${text} AS TIMESTAMPTZ) AT TIME ZONE 'UTC'`;
  return {
    attempt,
    value: (v) =>
      `CASE WHEN ${written(v)} AND ${inside(v)} THEN ${instant(v, zone)}${
        native ? "" : ` WHEN regexp_full_match(${text}, '${LOCAL}${OFFSET}') THEN ${offset}`
      } END`,
    misfits: [
      spaced(text, "NOT_A_TIME"),
      {
        when: `${written(attempt)} AND ${inside(attempt)}`,
        code: "NOT_AN_INSTANT",
        reason: `the clocks of ${zone} skip this time or show it twice; write it with an offset`,
      },
      {
        when: "true",
        code: "NOT_A_TIME",
        reason: `it is no time of the calendar as ${spec.pattern ?? "YYYY-MM-DD HH:mm:ss"}`,
      },
    ],
  };
}

/** The UTC instant of a local time; null where there is none, or two. */
function instant(local: string, zone: string): string {
  if (zone === "UTC") return local;
  const clock = (utc: string): string => `((${utc}) AT TIME ZONE 'UTC') AT TIME ZONE '${zone}'`;
  const offsetNear = (at: string): string => `(${clock(at)} - (${at}))`;
  const before = `(${local} - ${offsetNear(`${local} - INTERVAL 1 DAY`)})`;
  const after = `(${local} - ${offsetNear(`${local} + INTERVAL 1 DAY`)})`;
  const shows = (utc: string): string => `(${clock(utc)} = ${local})`;
  return [
    `CASE WHEN ${before} = ${after} THEN ${before}`,
    `WHEN ${shows(before)} = ${shows(after)} THEN NULL`,
    `WHEN ${shows(before)} THEN ${before} ELSE ${after} END`,
  ].join(" ");
}

const PARTS: Readonly<Record<string, string>> = {
  ...{ YYYY: "%Y", YY: "%y", MM: "%m", M: "%-m", DD: "%d", D: "%-d" },
  ...{ HH: "%H", H: "%-H", mm: "%M", m: "%-M", ss: "%S", s: "%-S", SSS: "%g", SSSSSS: "%f" },
};

/**
 * A declared pattern as the engine spells it: `DD/MM/YYYY`, `M/D/YYYY H:mm:ss`. One letter takes no
 * leading zero; YY is 1969 to 2068; SSS and SSSSSS are the digits of a second's fraction. Null for
 * a pattern that leaves out a part of the date, repeats one, or of a date has a time.
 */
export function readPattern(pattern: string, time: boolean): string | null {
  const parts = pattern.match(/Y+|M+|D+|H+|m+|s+|S+|[^YMDHmsS]/g) ?? [];
  const letters = parts.filter((p) => /[YMDHmsS]/.test(p));
  const kinds = letters.map((p) => p[0]);
  const whole = ["Y", "M", "D"].every((k) => kinds.includes(k));
  const single = new Set(kinds).size === kinds.length;
  const known = letters.every((p) => PARTS[p] !== undefined);
  const timed = kinds.some((k) => k !== undefined && "HmsS".includes(k));
  if (!whole || !single || !known || (timed && !time)) return null;
  return parts.map((p) => PARTS[p] ?? p).join("");
}

function strptimeOf(pattern: string, time: boolean): string {
  const native = readPattern(pattern, time);
  if (native === null) throw new Error(`not a pattern: ${pattern}`);
  return native;
}
