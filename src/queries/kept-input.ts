import { z } from "zod";
import type { Effects } from "../effects.js";
import { canonicalJson, fingerprint } from "../model/canonical.js";
import { TieoutError } from "../model/errors.js";
import { RelationRef, Sha256 } from "../model/ids.js";
import { cached, cacheFolder } from "../model/layout.js";
import type { Manifest } from "../model/manifest.js";
import type { Relation } from "../model/relation.js";
import type { Committed } from "../model/run.js";
import { fetchCached, makeCache } from "./cache.js";
import { keptJob } from "./committed.js";
import { assertNotPurged } from "./kept.js";

type Input = Manifest["inputs"][number];

/** What was read of a kept input, as it lies in the cache: names of typed files, in order. */
const Typed = z.object({
  files: z.array(z.object({ sha256: Sha256, source: z.string(), first_line: z.int().nullable() })),
});
type Typed = z.infer<typeof Typed>;

/**
 * An input of a committed run as a relation again: its source files are fetched and read as its own
 * job declared them. The typed form is cached under a name that its source and declaration decide.
 * @throws NOT_KEPT when it was purged; DAMAGED when what is read now has other rows than the
 * manifest says
 */
export async function readKeptInput(input: Input, run: Committed, fx: Effects): Promise<Relation> {
  for (const { path, key } of run.receipts.receipts)
    if (input.files.some((f) => f.key === key)) await assertNotPurged(run, path, fx);
  const { job } = await keptJob(run, fx);
  const spec = job.inputs[input.name];
  const name = fingerprint({ typed: input.files.map((f) => [f.source, f.sha256]), spec });
  const known = await cachedTyped(name, fx);
  const typed = known ?? (await readAgain(name, input, run, fx));
  const files = typed.files.map((f) => ({
    path: cached(fx.root, f.sha256),
    format: "parquet" as const,
    source: f.source,
    first_line: f.first_line,
  }));
  return { name: RelationRef.parse(input.name), columns: input.columns, files, rows: input.rows };
}

async function cachedTyped(name: Sha256, fx: Effects): Promise<Typed | null> {
  const here = await fx.folder.list(cacheFolder(fx.root));
  if (!here.includes(name)) return null;
  const typed = Typed.parse(JSON.parse(await fx.folder.text(cached(fx.root, name))));
  for (const file of typed.files) {
    const path = cached(fx.root, file.sha256);
    const whole = here.includes(file.sha256) && (await fx.folder.hash(path)).sha256 === file.sha256;
    if (whole) continue;
    await fx.folder.remove(cached(fx.root, name));
    return null;
  }
  return typed;
}

async function readAgain(name: Sha256, input: Input, run: Committed, fx: Effects): Promise<Typed> {
  const { job } = await keptJob(run, fx);
  const spec = job.inputs[input.name];
  if (spec === undefined) throw new Error(`the kept job of ${run.run_id} has no ${input.name}`);
  await makeCache(fx);
  const files = [];
  for (const f of input.files) {
    const doc = run.receipts.receipts.find((r) => r.key === f.key);
    if (doc === undefined) throw changed(run, input, "its receipts do not name the file");
    files.push({ path: await fetchCached(doc, fx), source: f.source });
  }
  const draft = (what: string) =>
    cached(fx.root, fingerprint([name, what, fx.owner, fx.clock.now()]));
  const drafts = files.map((_, n) => draft(`typed ${n}`));
  const typedAt = (n: number) => drafts[n] ?? draft("none");
  const request = { input: input.name, spec, files, typed: typedAt, rejects: draft("rejects") };
  const reading = await fx.reader.read(request, fx.engine);
  if (reading.rows !== input.rows) throw changed(run, input, "read again, it has other rows");
  const typed: Typed = { files: [] };
  for (const [n, f] of reading.relation.files.entries()) {
    const { sha256 } = await fx.folder.hash(f.path);
    const to = cached(fx.root, sha256);
    if (!(await fx.folder.list(cacheFolder(fx.root))).includes(sha256))
      await fx.folder.seal(f.path, to);
    typed.files.push({ sha256, source: files[n]?.source ?? "", first_line: f.first_line ?? null });
  }
  await fx.folder.write(cached(fx.root, name), canonicalJson(typed));
  return typed;
}

function changed(run: Committed, input: Input, cause: string): TieoutError {
  return new TieoutError("DAMAGED", {
    subject: `${run.run_id}/${input.name}`,
    cause,
    remedy: `run tieout recheck ${run.run_id}`,
  });
}
