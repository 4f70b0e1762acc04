import { documentText, sha256Of } from "../../src/model/canonical.js";
import { estimateTokens } from "../../src/model/estimate.js";
import type { Example } from "./example.js";
import { journal, wholeFolder, wholeLedger, wholeStore } from "./whole.js";

const FOLDER = "runs/refunds-2026-08-10/a1/";
const LATER = "store/refunds/refunds-2026-08-10/";
const EARLIER = "store/refunds/refunds-2026-08-03/";

const FLOAT = `/** The sum of amounts as the reader wrote them. */
export function total(amounts: readonly string[]): string {
  return amounts.reduce((sum, amount) => sum + Number.parseFloat(amount), 0).toFixed(2);
}
`;

const LOCALE = `/** Sellers in the order of whatever machine this is. */
export function inOrder(names: readonly string[]): string[] {
  return [...names].sort((a, b) => a.localeCompare(b));
}
`;

/** Every broken example by its folder below `fixtures/broken/`: a whole one, broken in one respect. */
export const EXAMPLES: ReadonlyMap<string, Example> = new Map([
  ["I001-artefact-in-another-folder", one("job.yaml", jobWith("../open-items.csv"))],
  ["I002-half-a-file-under-its-name", edited(wholeFolder(), `${FOLDER}discrepancies.csv`, half)],
  ["I003-artefact-changed", edited(wholeFolder(), `${FOLDER}discrepancies.csv`, forged)],
  ["I003-object-changed", edited(wholeStore(), `${LATER}a1/discrepancies.csv`, forged)],
  ["I004-manifest-without-its-file", without(wholeFolder(), `${FOLDER}discrepancies.csv`)],
  [
    "I004-manifest-before-a-record",
    one("trace.txt", trace(["manifest.json", "discrepancies.csv"])),
  ],
  ["I005-never-acknowledged", unacknowledged()],
  ["I006-cut-without-a-word", one("answer.json", answer())],
  [
    "I007-record-lost",
    edited(wholeFolder(), `${FOLDER}manifest.json`, put('"records": 1', '"records": 2')),
  ],
  ["I009-amount-through-a-float", one("src/queries/total.ts", FLOAT)],
  ["I010-order-of-a-locale", one("src/queries/names.ts", LOCALE)],
  ["I011-earlier-file-of-no-commit", withoutCommit()],
  [
    "I012-figure-that-nobody-computed",
    edited(wholeFolder(), `${FOLDER}manifest.json`, put('"624.22"', '"624.23"')),
  ],
  [
    "I013-removed-before-it-was-proven",
    one("trace.txt", trace(["discrepancies.csv", "manifest.json"], ["manifest.json"])),
  ],
  [
    "I014-kept-for-too-short",
    edited(
      wholeFolder(),
      `${FOLDER}manifest.json`,
      put('"retain_days": 400', '"retain_days": 401'),
    ),
  ],
  [
    "I015-commit-of-another-attempt",
    edited(wholeStore(), `${LATER}committed.json`, put('"attempt": 1', '"attempt": 2')),
  ],
  ["I016-copy-to-a-file", one("query.sql", "COPY refunds TO 'elsewhere.csv';\n")],
  ["I016-read-of-a-path", one("query.sql", "SELECT * FROM read_text('job.yaml');\n")],
  ["I016-name-of-another-run", one("query.sql", "SELECT * FROM previous.discrepancies;\n")],
  ["I017-act-taken-out", without(wholeLedger(), `${LATER}ledger/000002.json`)],
  [
    "I017-act-rewritten",
    edited(wholeLedger(), `${LATER}ledger/000001.json`, put("third quarter", "fourth quarter")),
  ],
  ["I017-line-taken-out", one("journal.jsonl", journal.split("\n").toSpliced(1, 1).join("\n"))],
  ["I017-line-rewritten", one("journal.jsonl", journal.replace('"rows":1', '"rows":2'))],
  [
    "I018-row-in-the-log",
    leak("log.jsonl", '{"event":"rejected","row":"R-000001,000468,19.99x"}\n'),
  ],
  [
    "I018-row-in-an-error",
    leak("error.json", '{"code":"INEXACT","message":"19.999 of R-000001"}\n'),
  ],
]);

function one(name: string, text: string): Example {
  return new Map([[name, text]]);
}

function edited(example: Example, name: string, edit: (text: string) => string): Example {
  const text = example.get(name);
  if (text === undefined || edit(text) === text) throw new Error(`nothing to break in ${name}`);
  return new Map([...example, [name, edit(text)]]);
}

function without(example: Example, name: string): Example {
  return new Map([...example].filter(([other]) => other !== name));
}

function put(old: string, now: string): (text: string) => string {
  return (text) => text.replace(old, now);
}

function half(text: string): string {
  return text.slice(0, text.length / 2);
}

function forged(text: string): string {
  return text.replace("1276.86", "1267.86");
}

/** The receipts lose a file and the commit is made anew for them, so that only the receipt is missing. */
function unacknowledged(): Example {
  const whole = wholeStore();
  const name = `${LATER}a1/receipts.json`;
  const receipts = JSON.parse(whole.get(name) ?? "");
  const text = documentText({ ...receipts, receipts: receipts.receipts.slice(1) });
  const commit = JSON.parse(whole.get(`${LATER}committed.json`) ?? "");
  const stored = {
    ...commit.receipts,
    sha256: sha256Of(text),
    size_bytes: Buffer.byteLength(text),
  };
  return new Map([
    ...whole,
    [name, text],
    [`${LATER}committed.json`, documentText({ ...commit, receipts: stored })],
  ]);
}

/** The file is there with its bytes, but no commit leads to it. */
function withoutCommit(): Example {
  return without(wholeStore(), `${EARLIER}committed.json`);
}

/** The store's calls of a run that creates `files`, commits, asks for `asked` (all by default), removes. */
function trace(files: readonly string[], asked: readonly string[] = files): string {
  const run = "refunds/refunds-2026-08-10";
  return [
    `create ${run}/claims/a1/000001.json`,
    ...files.map((file) => `create ${run}/a1/${file}`),
    `create ${run}/committed.json`,
    ...asked.map((file) => `head ${run}/a1/${file}`),
    "remove refunds-2026-08-10",
  ]
    .map((call) => `${call}\n`)
    .join("");
}

export const wholeTrace = trace(["discrepancies.csv", "manifest.json"]);

/** Three rows were asked for and match, one came back, and nothing says that it was cut. */
function answer(): string {
  const said = {
    relation: "discrepancies",
    rows_total: 3,
    rows_matched: 3,
    rows_returned: 1,
    more_rows: false,
    truncated: false,
    columns_total: 1,
    columns: [{ name: "seller_id", type: "text" }],
    rows: [["000468"]],
    notice: "1 of 3 rows.",
    estimated_tokens: 0,
  };
  const estimated_tokens = estimateTokens(JSON.stringify({ ...said, estimated_tokens: 100 }));
  const asked = { n: 3, columns: null, rows_recorded: 3 };
  return documentText({ asked, answer: { ...said, estimated_tokens } });
}

function leak(name: string, text: string): Example {
  const rows = "refund_id,seller_id,amount\nR-000001,000468,19.999\n";
  return new Map([
    ["in/refunds.csv", rows],
    [name, text],
  ]);
}

function jobWith(artefact: string): string {
  return `job: refunds
owner: finance-ops
inputs:
  refunds: { file: refunds.csv, columns: { refund_id: text, amount: money(USD) } }
steps:
  - { name: open, sql: open.sql, artefact: ${artefact} }
artefacts:
  ${artefact}: { order_by: [refund_id], retain_days: 400, columns: { refund_id: text } }
`;
}
