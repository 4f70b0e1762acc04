import type { Effects } from "../effects.js";
import { isTieout } from "../model/errors.js";
import { type AsOf, type JobName, partsOf, type RunId } from "../model/ids.js";
import type { Manifest } from "../model/manifest.js";
import { currentRuns, readCommitted } from "./committed.js";

type Needs = Pick<Effects, "store">;

/** A current run that does not stand on what is now before it, and why, as people are told. */
export interface Outdated {
  readonly run_id: RunId;
  readonly why: string;
}

/** How many runs are asked for at once. */
const AT_ONCE = 16;

/**
 * The outdated runs of a job, oldest date first. A run is outdated when its previous would now be
 * another: that one was superseded, or a night between the two was committed late; and when the run
 * before it is outdated. Computed from the manifests each time: there is no flag to forget. What is
 * superseded itself is never outdated. Reads one manifest for each date.
 * @param until - dates after it are not looked at, null: all
 * @throws UNKNOWN
 */
export async function outdatedRuns(
  job: JobName,
  until: AsOf | null,
  fx: Needs,
): Promise<Outdated[]> {
  const runs = (await currentRuns(job, fx)).filter(
    (run) => until === null || partsOf(run).as_of <= until,
  );
  const links = await linksOf(runs, fx);
  const outdated: Outdated[] = [];
  let root: Outdated | null = null;
  for (const [i, link] of links.entries()) {
    const before = links[i - 1] ?? null;
    const own = whyItself(link, before);
    if (own !== null) root = { run_id: link.run_id, why: own };
    else if (!carriesForward(link, before)) root = null;
    if (root === null) continue;
    const why = own ?? `${root.run_id} before it is outdated: ${root.why}`;
    outdated.push({ run_id: link.run_id, why });
  }
  return outdated;
}

/** Why one run is outdated; null when it is not, or is superseded itself. @throws UNKNOWN */
export async function whyOutdated(run: RunId, fx: Needs): Promise<string | null> {
  const { job, as_of } = partsOf(run);
  const found = await outdatedRuns(job, as_of, fx);
  return found.find((o) => o.run_id === run)?.why ?? null;
}

/** A run of the chain; one that is damaged cannot say what it stands on. */
interface Link {
  readonly run_id: RunId;
  readonly manifest: Manifest | null;
}

async function linksOf(runs: readonly RunId[], fx: Needs): Promise<Link[]> {
  const links: Link[] = [];
  for (let i = 0; i < runs.length; i += AT_ONCE)
    links.push(...(await Promise.all(runs.slice(i, i + AT_ONCE).map((run) => linkOf(run, fx)))));
  return links;
}

async function linkOf(run_id: RunId, fx: Needs): Promise<Link> {
  try {
    return { run_id, manifest: (await readCommitted(run_id, fx))?.manifest ?? null };
  } catch (e) {
    if (isTieout(e, "DAMAGED")) return { run_id, manifest: null };
    throw e;
  }
}

function whyItself({ manifest }: Link, before: Link | null): string | null {
  if (manifest === null) return "it is damaged, and what it stands on cannot be read";
  if (before === null) return null;
  for (const { name, run_id } of manifest.previous) {
    if (run_id === before.run_id) continue;
    if (run_id === null && !hasArtefact(before, name)) continue;
    if (run_id !== null && partsOf(run_id).as_of === partsOf(before.run_id).as_of)
      return `previous ${run_id} was superseded by ${before.run_id}`;
    return `its previous would now be ${before.run_id}, and was ${run_id ?? "none"}`;
  }
  return null;
}

/** A run before may have no artefact of that name: then there was nothing to take from it. */
function hasArtefact({ manifest }: Link, name: string): boolean {
  return manifest?.artefacts.some((a) => a.relation === name) ?? false;
}

/** Whether what a run came to depends on the run before it. */
function carriesForward({ manifest }: Link, before: Link | null): boolean {
  return manifest?.previous.some((p) => p.run_id !== null && p.run_id === before?.run_id) ?? false;
}
