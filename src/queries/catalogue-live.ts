import type { Effects } from "../effects.js";
import { isTieout } from "../model/errors.js";
import { RelationRef, type RunId, type Sha256 } from "../model/ids.js";
import { type JournalLine, readJournal } from "../model/journal.js";
import { type AttemptLayout, attemptLayout, attemptOf, runFolder } from "../model/layout.js";
import { PinRecord, StepRecord } from "../model/records.js";
import type { Relation } from "../model/relation.js";
import {
  inputRelation,
  previousRelation,
  rejectsRelation,
  stepRelation,
  TEXT_COLUMNS,
} from "../model/relations.js";
import type { Catalogue, Entry } from "./entry.js";

/** The latest attempt of a run on this disk. */
export interface LiveAttempt {
  readonly attempt: number;
  readonly layout: AttemptLayout;
  readonly lines: readonly JournalLine[];
  readonly head: Sha256;
}

/** Null when no attempt of the run is here. A damaged journal ends at its last whole line. */
export async function liveAttempt(
  run: RunId,
  fx: Pick<Effects, "folder" | "root">,
): Promise<LiveAttempt | null> {
  const names = await fx.folder.list(runFolder(fx.root, run));
  const attempt = Math.max(0, ...names.map((n) => attemptOf(n) ?? 0));
  if (attempt === 0) return null;
  const layout = attemptLayout(fx.root, run, attempt);
  try {
    const { lines, head } = readJournal(await fx.folder.text(layout.journal));
    return { attempt, layout, lines, head };
  } catch (e) {
    if (isTieout(e, "DISK")) return null;
    throw e;
  }
}

/** What the latest attempt has pinned and sealed so far, by its journal. */
export async function liveCatalogue(
  run: RunId,
  fx: Pick<Effects, "folder" | "root">,
): Promise<Catalogue | null> {
  const live = await liveAttempt(run, fx);
  if (live === null) return null;
  const entries = live.lines.flatMap((line) => entriesOf(line, live.layout));
  return { run_id: run, state: "live", entries: [...entries, journalEntry(live)] };
}

function entriesOf(line: JournalLine, layout: AttemptLayout): Entry[] {
  if (line.event === "step") {
    const record = StepRecord.safeParse(line.record).data;
    if (record === undefined) return [];
    const tag = (record.twin ?? record.file).sha256;
    return [entry(stepRelation(record, layout), record.kind, line.at, tag)];
  }
  const pin = line.event === "pin" ? PinRecord.safeParse(line.record).data : undefined;
  if (pin === undefined) return [];
  return [
    ...pin.inputs.map((i) => {
      const tag = i.files.map((f) => f.sha256).join();
      return entry(inputRelation(i, layout), "input", line.at, tag);
    }),
    ...pin.inputs.map((i) =>
      entry(rejectsRelation(i, layout), "rejects", line.at, i.rejects?.sha256 ?? ""),
    ),
    ...pin.previous.map((p) =>
      entry(previousRelation(p, layout), "previous", line.at, p.from?.sha256 ?? ""),
    ),
  ];
}

function journalEntry(live: LiveAttempt): Entry {
  const relation: Relation = {
    name: RelationRef.parse("log.journal"),
    columns: TEXT_COLUMNS,
    files: [{ path: live.layout.journal, format: "text" }],
    rows: live.lines.length,
  };
  return entry(relation, "text", live.lines.at(-1)?.at ?? null, live.head);
}

function entry(
  relation: Relation,
  kind: Entry["kind"],
  made_at: string | null,
  tag: string,
): Entry {
  return {
    name: relation.name,
    kind,
    rows: relation.rows,
    columns: relation.columns.length,
    made_at,
    tag,
    open: async () => relation,
    instead: "",
  };
}
