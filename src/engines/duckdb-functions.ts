import { nearest } from "../model/errors.js";

/**
 * What foreign SQL may call, by name: deterministic functions whose work is bounded by their
 * arguments' size. Whether a call would compute in floats is not decided here but over the bound
 * plan (duckdb-plan.ts), because `round` of a DECIMAL is exact and `round` of a DOUBLE is not.
 */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const TEXT = words(`
  ascii bit_length char_length character_length chr concat concat_ws contains ends_with
  ilike_escape instr lcase left length like_escape lower ltrim md5 nfc_normalize not_ilike_escape
  not_like_escape octet_length ord overlay position prefix regexp_escape regexp_extract
  regexp_full_match regexp_matches regexp_replace replace reverse right rtrim sha256 split_part
  starts_with strip_accents strlen strpos substr substring suffix translate trim ucase unicode upper
`);
const DATES = words(`
  age date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day
  dayname dayofmonth dayofweek dayofyear days_in_month epoch_ms hour isodow isoyear last_day
  make_date make_timestamp microsecond minute month monthname quarter second strftime strptime
  timezone to_days to_hours to_minutes to_months to_quarters to_weeks to_years try_strptime week
  weekday weekofyear year yearweek
`);
const NUMBERS = words("abs ceil ceiling even factorial floor gcd lcm mod round sign trunc");
const CHOICES = words("greatest least nullif");
const OPERATORS = words("+ - * % // || ~~ !~~ ~~* !~~* ~~~ ^@ @");
const COUNTS = words("bool_and bool_or count count_if count_star countif max min sum");

/** Aggregates whose result depends on the order of rows: only with an ORDER BY of their own. */
export const ORDERED_AGGREGATES: ReadonlySet<string> = new Set(
  words("string_agg group_concat listagg"),
);
export const AGGREGATES: ReadonlySet<string> = new Set([...COUNTS, ...ORDERED_AGGREGATES]);
export const SCALARS: ReadonlySet<string> = new Set([
  ...TEXT,
  ...DATES,
  ...NUMBERS,
  ...CHOICES,
  ...OPERATORS,
  "money_div",
]);
/** Window functions by their node type; each only with ORDER BY. */
export const WINDOWS: ReadonlySet<string> = new Set(
  words(`WINDOW_ROW_NUMBER WINDOW_RANK WINDOW_RANK_DENSE WINDOW_NTILE WINDOW_LEAD WINDOW_LAG
    WINDOW_FIRST_VALUE WINDOW_LAST_VALUE WINDOW_NTH_VALUE`),
);
/** Names that DuckDB reads as functions although they are written like columns. */
export const CLOCK_WORDS: ReadonlySet<string> = new Set(
  words(`current_catalog current_date current_role current_schema current_time current_timestamp
    current_user localtime localtimestamp session_user user`),
);

const NEVER = new Set(
  words(`
  alias any_value arbitrary array_agg avg create_sort_key currval error favg first fsum
  gen_random_uuid getenv getvariable hash in_search_path json_deserialize_sql
  json_execute_serialized_sql json_serialize_plan json_serialize_sql kahan_sum last list mean
  nextval now query query_table random reservoir_quantile row session_user setseed sleep_ms stats
  sumkahan to_json today transaction_timestamp txid_current unnest user uuid uuidv4 uuidv7
  vector_type version write_log
`),
);
const NEVER_LIKE = new RegExp(
  "^(?:__|approx_|col_description$|current_|duckdb_|get_|glob$|has_.*_privilege$|icu_|inet_|obj_|" +
    "pg_|pragma_|read_|shobj_|sniff_|sql_auto)",
);

/** True when not even a job's `allow` admits the name: volatile, or reaching out of the SELECT. */
export function isNeverAllowed(name: string): boolean {
  return NEVER.has(name) || NEVER_LIKE.test(name);
}

const CLOCK = "write the date as a literal, DATE '2026-01-31': a run must give the same rows again";
const PICK = "rank the rows with row_number() OVER (… ORDER BY …) and keep the first with QUALIFY";
const REMEDIES: Readonly<Record<string, string>> = {
  "/": "write money_div(a, b, scale) for an exact quotient, or // between integers",
  avg: "write money_div(sum(x), count(x), scale)",
  mean: "write money_div(sum(x), count(x), scale)",
  now: CLOCK,
  today: CLOCK,
  get_current_timestamp: CLOCK,
  any_value: PICK,
  arbitrary: PICK,
  first: PICK,
  last: PICK,
  arg_max: PICK,
  arg_min: PICK,
  max_by: PICK,
  min_by: PICK,
  lpad: "write right(concat('000000', x), 6) with as many zeros as places",
  rpad: "write left(concat(x, '      '), 6) with as many spaces as places",
  list: "write string_agg(x, ',' ORDER BY x)",
  array_agg: "write string_agg(x, ',' ORDER BY x)",
  power: "multiply decimals: x * x",
  pow: "multiply decimals: x * x",
  approx_count_distinct: "write count(DISTINCT x)",
};

/** Accepted words that are called like functions and are not among the engine's. */
const FORMS = words("case cast coalesce exists extract grouping if ifnull try_cast");
const RANKS = words("row_number rank dense_rank ntile lead lag first_value last_value nth_value");

/**
 * What to write instead of a refused function.
 * @param known - all functions that the engine has
 */
export function insteadOf(name: string, known: ReadonlySet<string>): string {
  const written = REMEDIES[name];
  if (written !== undefined) return written;
  if (isNeverAllowed(name))
    return "use another function: this one is not accepted under allow: functions either";
  const allowed = "name it in the job under allow: functions if it is deterministic";
  if (known.has(name)) return `use another function, or ${allowed}`;
  const near =
    nearest(name, [...SCALARS, ...AGGREGATES, ...FORMS]) ??
    nearest(
      name,
      [...known].filter((k) => !isNeverAllowed(k)),
    );
  const none = "the engine has no function of this name";
  return near === null
    ? `use another function: ${none}`
    : `write ${near} if that is meant: ${none}`;
}

/** What to write instead of a function that is refused over a window, whatever a job allows. */
export function insteadOfWindow(name: string): string {
  const usable = [...RANKS, ...AGGREGATES];
  const near = nearest(name, usable);
  return REMEDIES[name] ?? (near === null ? `use one of ${usable.join(", ")}` : `write ${near}`);
}
