import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Agent, StepDesk } from "../../src/index.js";
import { CAPS } from "../../src/model/caps.js";
import { at, library } from "./library.js";
import { workplace } from "./product.js";

const AS_OF = "2026-08-10";
const JOB = "refunds";
/** What the agent looks for first: the same SELECT, without an order, into scratch. */
const LARGE = `SELECT l.seller_id, l.balance, sum(j.net) AS net, count(*) AS refund_lines
FROM ledger AS l JOIN joined AS j ON j.seller_id = l.seller_id
GROUP BY l.seller_id, l.balance`;

let cwd: string;
const said: string[] = [];
const hashes: Record<"sql" | "agent", Record<string, string>> = { sql: {}, agent: {} };

/** Does the step as a model would: looks, tries, looks at a slice, computes, finishes. */
function scripted(sql: string, lib: Awaited<ReturnType<typeof library>>): Agent {
  return {
    work: async (desk: StepDesk) => {
      const ask = lib.operationsOf(desk);
      const tell = async (name: string, input: Record<string, unknown>): Promise<unknown> => {
        const answer = await ask(name, input);
        said.push(lib.answerText(answer));
        return answer;
      };
      await tell("head", { relation: "ledger", n: 3 });
      await tell("compute", { sql: LARGE });
      await tell("where", {
        relation: "q01",
        all: [{ column: "refund_lines", op: "gt", value: "20" }],
        columns: ["seller_id", "balance", "net"],
        n: 20,
      });
      await tell("compute", { sql, target: "discrepancies.csv" });
      await tell("finish", {});
    },
  };
}

/** jobs/refunds with the step `discrepancies` done by an agent. */
function byAgent(folder: string): string {
  const path = `${folder}/jobs/${JOB}/job.yaml`;
  const text = readFileSync(path, "utf8");
  const step = "name: discrepancies, sql: discrepancies.sql,";
  const instruction = 'name: discrepancies, agent: { instruction: "Find the sellers." },';
  expect(text).toContain(step);
  writeFileSync(path, text.replace(step, instruction));
  return readFileSync(`${folder}/jobs/${JOB}/discrepancies.sql`, "utf8");
}

beforeAll(async () => {
  cwd = workplace();
  const other = workplace();
  const lib = await library();
  const asked = { job: JOB, as_of: AS_OF, inputs: `exports/${AS_OF}` };
  const bySql = await lib.runJob(asked, at(other));
  hashes.sql = Object.fromEntries(bySql.artefacts.map((a) => [a.path, a.sha256]));
  const agent = scripted(byAgent(cwd), lib);
  const run = await lib.runJob(asked, { ...at(cwd), agent });
  hashes.agent = Object.fromEntries(run.artefacts.map((a) => [a.path, a.sha256]));
  rmSync(other, { recursive: true });
}, 300_000);
afterAll(() => rmSync(cwd, { recursive: true }));

describe("an agent that works only through the operations", () => {
  test("makes the same bytes as the job in SQL", () => {
    expect(hashes.agent).toEqual(hashes.sql);
  });

  test("was told everything in less than 2,000 tokens", () => {
    expect(said).toHaveLength(5);
    const tokens = said.map((answer) => encode(answer).length);
    expect(tokens.reduce((a, b) => a + b)).toBeLessThan(2_000);
  });

  test("got no answer over its cap", () => {
    for (const answer of said) {
      expect(encode(answer).length).toBeLessThanOrEqual(CAPS.tokens.default);
      expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(CAPS.bytes.default);
    }
  });

  test("leaves its scratch named with its hash, and the step said to be an agent's", async () => {
    const { describe: look, trace } = await library();
    const answer = await look({ run: `${JOB}-${AS_OF}` }, at(cwd));
    const kinds = new Map(answer.relations?.map((r) => [r.relation, r.kind]));
    expect(kinds.get("q01")).toBe("scratch");
    const { steps } = await trace({ run: `${JOB}-${AS_OF}`, of: "total" }, at(cwd));
    expect(steps[0]).toMatchObject({ name: "discrepancies", by: "agent" });
  });
});

const MISTAKES = [
  ["list", {}, "REFUSED"],
  ["hed", { relation: "ledger" }, "USAGE"],
  ["head", { relation: "legder" }, "UNKNOWN_RELATION"],
  ["compute", { sql: "SELECT 1 AS one", target: "discrepancy.csv" }, "REFUSED"],
  ["compute", { sql: "DROP TABLE ledger" }, "NOT_A_SELECT"],
  [
    "compute",
    { sql: "SELECT balance FROM ledger", target: "discrepancies.csv" },
    "COLUMN_MISMATCH",
  ],
  ["finish", {}, "NOT_FINISHED"],
] as const;

describe("an agent's mistakes come back with what to do:", () => {
  const told: unknown[] = [];
  let ended: unknown;
  beforeAll(async () => {
    const lib = await library();
    const folder = workplace();
    byAgent(folder);
    const work = async (desk: StepDesk) => {
      const ask = lib.operationsOf(desk);
      for (const [name, input] of MISTAKES) told.push(await ask(name, input).catch((e) => e));
    };
    const asked = { job: JOB, as_of: AS_OF, inputs: `exports/${AS_OF}` };
    ended = await lib.runJob(asked, { ...at(folder), agent: { work } }).catch((e) => e);
    rmSync(folder, { recursive: true });
  }, 120_000);

  test.each([...MISTAKES.entries()])("%i %j", (n, [, , code]) => {
    expect(told[n]).toMatchObject({ code, remedy: expect.stringMatching(/\S/) });
  });

  test("and a step that it left open fails the run", () => {
    expect(ended).toMatchObject({ code: "NOT_FINISHED", subject: "discrepancies" });
  });
});
