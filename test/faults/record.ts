import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import { isTieout } from "../../src/model/errors.js";
import { recheck } from "../../src/queries/recheck.js";
import { startProcess, walkTold } from "./process.js";
import { EXPORTS, heldRun, loadCards, SEQUENCES } from "./scenes.js";
import { type Answers, noAnswers, recording } from "./tape.js";
import { diskWorld } from "./world.js";

/** Every answer that DuckDB gives in the sequences, over real files, keys sorted. */
export async function recordAnswers(): Promise<Answers> {
  const duckdb = await duckdbInline({ temp: tmpdir() });
  const loaded = await loadCards();
  const answers = noAnswers();
  for (const sequence of SEQUENCES) {
    const world = diskWorld(mkdtempSync(join(tmpdir(), "tieout-record-")));
    const engine = recording(duckdb, world.bytes, answers);
    for (const [as_of, night, revision] of sequence) {
      const started = startProcess(world, { exports: EXPORTS[night], engine });
      const told = await walkTold(heldRun(loaded, as_of, revision), started);
      if ("outcome" in told) await recheck(told.outcome.run.run_id, started.fx);
      else if (!isTieout(told.error) || told.error.code === "SQL") throw told.error;
    }
    world.end();
  }
  await duckdb.close();
  const { reads, made, tables } = answers;
  return { reads: sorted(reads), made: sorted(made), tables: sorted(tables) };
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const text = `${JSON.stringify(await recordAnswers(), null, 1)}\n`;
  writeFileSync(new URL("recording.json", import.meta.url), text);
}
