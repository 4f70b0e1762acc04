import { Act } from "../../src/model/act.js";
import { documentText, sha256Of } from "../../src/model/canonical.js";
import { GENESIS, journalLine } from "../../src/model/journal.js";
import { Manifest } from "../../src/model/manifest.js";
import { Commit, Receipts } from "../../src/model/records.js";
import type { Example } from "./example.js";

/** A smallest run that breaks nothing, as files: what the broken examples are altered from. */
const DISCREPANCIES = "seller_id,delta\n000468,1276.86\n009033,-652.64\n";
const COLUMNS = [
  { name: "seller_id", type: "text" },
  { name: "delta", type: "money(USD)" },
];
const AT = "2026-08-10T06:41:12.000Z";
const AS_OF = { earlier: "2026-08-03", later: "2026-08-10" } as const;
const EXPORT = "refund_id,seller_id,amount\nR-000001,000468,19.99\n";

const fileOf = (path: string, text: string) => ({
  path,
  sha256: sha256Of(text),
  size_bytes: Buffer.byteLength(text),
});

export const journal = journalOf(["claim", "pin", "compute", "verify"]);

function journalOf(events: readonly string[]): string {
  const lines: string[] = [];
  for (const event of events) {
    const before = lines.at(-1);
    const prev = before === undefined ? GENESIS : sha256Of(before);
    lines.push(journalLine({ seq: lines.length + 1, prev, at: AT, event, record: { rows: 1 } }));
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** The attempt's files by their names relative to it, the manifest last. */
function attempt(as_of: string, previous: unknown[]): Map<string, string> {
  const manifest = Manifest.parse({
    ...identity(as_of),
    ...contents(),
    previous,
    artefacts: [artefact()],
    records: [fileOf("records/journal.jsonl", journal)],
    figures: [figure("sellers", "count", null, "2"), figure("total", "sum", "delta", "624.22")],
  });
  return new Map([
    ["discrepancies.csv", DISCREPANCIES],
    ["records/journal.jsonl", journal],
    ["manifest.json", documentText(manifest)],
  ]);
}

function identity(as_of: string): object {
  return {
    schema: "tieout/manifest/1",
    run_id: `refunds-${as_of}`,
    job: "refunds",
    owner: "finance-ops",
    attempt: 1,
    as_of,
    supersedes: null,
    started_at: AT,
    finished_at: AT,
    status: "complete",
    outcome: "complete",
    exit: 0,
    engine: { name: "duckdb", version: "1.5.6", settings: {} },
    versions: { tieout: "0.1.0" },
    job_sha256: sha256Of("job"),
    journal_head: sha256Of(journal.trimEnd().split("\n").at(-1) ?? ""),
    journal_lines: 4,
    findings: [],
    discarded: [],
  };
}

function contents(): object {
  const { sha256, size_bytes } = fileOf("refunds.csv", EXPORT);
  const step = { step: 1, name: "discrepancies", by: "sql", sql: "records/sql/discrepancies.sql" };
  return {
    inputs: [
      {
        name: "refunds",
        keep: "file",
        files: [{ source: "refunds.csv", sha256, size_bytes, key: `inputs/${sha256}` }],
        columns: COLUMNS,
        rows: 1,
        rejected: 0,
        skipped: 0,
        records: 1,
        rejects: null,
        witnesses: [],
      },
    ],
    steps: [
      {
        ...step,
        sql_sha256: sha256Of("SELECT"),
        reads: ["refunds"],
        conservation: null,
        adopted_from: null,
      },
    ],
  };
}

function artefact(): object {
  return {
    ...fileOf("discrepancies.csv", DISCREPANCIES),
    step: 1,
    relation: "discrepancies",
    rows: 2,
    overflow: 0,
    verified: true,
    retain_days: 400,
    retain_until: "2027-09-14T06:41:12.000Z",
    share: null,
    order_by: ["seller_id"],
    columns: COLUMNS,
    checks: [],
    control_totals: [],
    twin: null,
  };
}

function figure(name: string, aggregate: string, column: string | null, value: string): object {
  const unit = column === null ? null : "USD";
  return { name, value, unit, artefact: "discrepancies.csv", aggregate, column };
}

/** The run folder of a closed run. */
export function wholeFolder(): Example {
  return below(`runs/refunds-${AS_OF.later}/a1/`, attempt(AS_OF.later, []));
}

/** A store with two committed runs, the later of which read the earlier one's discrepancies. */
export function wholeStore(): Example {
  const earlier = kept(AS_OF.earlier, []);
  const { sha256, size_bytes } = fileOf("discrepancies.csv", DISCREPANCIES);
  const previous = {
    name: "discrepancies",
    run_id: `refunds-${AS_OF.earlier}`,
    path: "discrepancies.csv",
    key: `refunds/refunds-${AS_OF.earlier}/a1/discrepancies.csv`,
    version: sha256.slice(0, 16),
    sha256,
    size_bytes,
    format: "csv",
    columns: COLUMNS,
    rows: 2,
  };
  return new Map([...earlier, ...kept(AS_OF.later, [previous])]);
}

/** The same store, with three acts on the later run's ledger. */
export function wholeLedger(): Example {
  const store = new Map(wholeStore());
  const run = `refunds-${AS_OF.later}`;
  const base = { schema: "tieout/act/1", run_id: run, at: AT, by: "host:1:0a1b2c3d" };
  const acts = [
    { kind: "hold", detail: { reason: "audit of the third quarter" } },
    { kind: "release", detail: { reason: "the audit is over" } },
    { kind: "extend", detail: { until: "2031-12-31T23:59:59.999Z", reason: "as agreed" } },
  ];
  let prev = sha256Of(store.get(`store/refunds/${run}/a1/manifest.json`) ?? "");
  for (const [i, act] of acts.entries()) {
    const text = documentText(Act.parse({ ...base, seq: i + 1, prev, ...act }));
    store.set(`store/refunds/${run}/ledger/00000${i + 1}.json`, text);
    prev = sha256Of(text);
  }
  return store;
}

/** One run as the store keeps it: the attempt's files, its receipts and the commit. */
function kept(as_of: string, previous: unknown[]): Example {
  const run = `refunds/refunds-${as_of}`;
  const files = attempt(as_of, previous);
  const stored = (path: string, text: string) => {
    const { sha256, size_bytes } = fileOf(path, text);
    return { key: `${run}/a1/${path}`, version: sha256.slice(0, 16), sha256, size_bytes };
  };
  const who = { run_id: `refunds-${as_of}`, attempt: 1 };
  const manifest = files.get("manifest.json") ?? "";
  const acknowledged = [...files].filter(([path]) => path !== "manifest.json");
  const receipts = documentText(
    Receipts.parse({
      schema: "tieout/receipts/1",
      ...who,
      receipts: acknowledged.map(([path, text]) => ({ path, ...stored(path, text) })),
    }),
  );
  const commit = Commit.parse({
    schema: "tieout/commit/1",
    ...who,
    manifest: stored("manifest.json", manifest),
    receipts: stored("receipts.json", receipts),
  });
  return new Map([
    ...below(`store/${run}/a1/`, files),
    [`store/${run}/a1/receipts.json`, receipts],
    [`store/${run}/committed.json`, documentText(commit)],
  ]);
}

function below(folder: string, files: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...files].map(([path, text]) => [folder + path, text]));
}
