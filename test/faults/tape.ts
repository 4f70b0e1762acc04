import { z } from "zod";
import { duckdbDialect } from "../../src/dialects/duckdb.js";
import type { Engine, Evaluation, Question } from "../../src/engines/engine.js";
import { fingerprint, sha256Of } from "../../src/model/canonical.js";
import { Column } from "../../src/model/columns.js";
import { TieoutError } from "../../src/model/errors.js";
import { RelationRef } from "../../src/model/ids.js";
import type { Relation } from "../../src/model/relation.js";
import type { Bytes } from "./plain.js";

const Made = z.object({ rows: z.int(), columns: z.array(Column), file: z.base64() });
const Answers = z.object({
  /** Which relations a SELECT reads, by the hash of its text. */
  reads: z.record(z.string(), z.array(RelationRef)),
  made: z.record(z.string(), Made),
  tables: z.record(
    z.string(),
    z.object({ columns: z.array(Column), rows: z.array(z.array(z.string().nullable())) }),
  ),
});
/** What an engine answered, by what decides it: the request without its paths, the bytes it reads. */
export type Answers = z.infer<typeof Answers>;
export const noAnswers = (): Answers => ({ reads: {}, made: {}, tables: {} });

/** An engine whose answers are put into `answers` as it gives them. */
export function recording(engine: Engine, bytes: Bytes, answers: Answers): Engine {
  const keep = async (key: string, to: string, made: Omit<z.infer<typeof Made>, "file">) => {
    const file = Buffer.from(await bytes.read(to)).toString("base64");
    answers.made[key] = { rows: made.rows, columns: [...made.columns], file };
  };
  return {
    ...engine,
    evaluate: async (e) => {
      const made = await engine.evaluate(e);
      answers.reads[sha256Of(e.sql)] = [...made.reads].sort();
      await keep(await evaluationKey(e, made.reads, bytes), e.to, {
        ...made,
        columns: [...made.columns],
      });
      return made;
    },
    render: async (q) => {
      const made = await engine.render(q);
      await keep(await questionKey("render", q, bytes), q.to, {
        ...made,
        columns: [...made.columns],
      });
      return made;
    },
    ask: async (q) => {
      const table = await engine.ask(q);
      answers.tables[await questionKey("ask", q, bytes)] = {
        columns: [...table.columns],
        rows: table.rows.map((row) => [...row]),
      };
      return table;
    },
  };
}

/** Gives recorded answers, over files wherever they are. What was never asked is SQL, as of files that no engine can read. */
export function recorded(given: unknown, bytes: Bytes): Engine {
  const answers = Answers.parse(given);
  const give = async (key: string, to: string) => {
    const made = answers.made[key] ?? unanswered();
    await bytes.write(to, Buffer.from(made.file, "base64"));
    return { rows: made.rows, columns: made.columns };
  };
  return {
    name: "duckdb",
    version: "1.5.6",
    dialect: duckdbDialect,
    vet: async () => unanswered(),
    evaluate: async (e) => {
      const reads = answers.reads[sha256Of(e.sql)] ?? unanswered();
      return { ...(await give(await evaluationKey(e, reads, bytes), e.to)), reads };
    },
    render: async (q) => give(await questionKey("render", q, bytes), q.to),
    ask: async (q) => answers.tables[await questionKey("ask", q, bytes)] ?? unanswered(),
    stream: () => unanswered(),
    close: async () => undefined,
  };
}

async function evaluationKey(
  { sql, columns, order_by, format, allow, relations }: Evaluation,
  reads: readonly RelationRef[],
  bytes: Bytes,
): Promise<string> {
  const read = relations.filter((r) => reads.includes(r.name));
  return fingerprint({ sql, columns, order_by, format, allow, read: await contentOf(read, bytes) });
}

async function questionKey(kind: string, q: Question & { limit?: number }, bytes: Bytes) {
  const { sql, params, limit = null, relations } = q;
  return fingerprint({ kind, sql, params, limit, read: await contentOf(relations, bytes) });
}

function contentOf(relations: readonly Relation[], bytes: Bytes) {
  const sorted = [...relations].sort((a, b) => (a.name < b.name ? -1 : 1));
  return Promise.all(
    sorted.map(async ({ name, columns, files }) => {
      const read = files.map(async ({ path, format, source = null, first_line = null }) => [
        format,
        source,
        first_line,
        sha256Of(await bytes.read(path).catch(() => unanswered())),
      ]);
      return [name, columns, await Promise.all(read)];
    }),
  );
}

function unanswered(): never {
  throw new TieoutError("SQL", {
    subject: "recorded answers",
    cause: "this was never asked when the answers were recorded",
    remedy: "npx tsx test/faults/record.ts",
  });
}
