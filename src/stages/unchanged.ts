import type { Effects } from "../effects.js";
import { isTieout, TieoutError } from "../model/errors.js";
import { partsOf, type RunId, type Sha256 } from "../model/ids.js";
import type { InputSpec } from "../model/job.js";
import type { Committed, Held } from "../model/run.js";

/**
 * A committed run id run again repeats its result, if its job is the same and so are its exports
 * where they are still there; an export that is gone proves nothing.
 * @throws INPUTS_CHANGED naming what differs and the command that restates the run; UNKNOWN when
 * the exports cannot be read, for any other error would be taken for the run's
 */
export async function assertUnchanged(
  held: Held,
  run: Committed,
  fx: Pick<Effects, "inputs">,
): Promise<void> {
  if (held.job_sha256 !== run.manifest.job_sha256) throw changed(run.run_id, "the job's files");
  for (const input of run.manifest.inputs) {
    const spec: InputSpec | undefined = held.job.inputs[input.name];
    const now = spec === undefined ? [] : await exportsNow(spec, run.run_id, fx);
    const then = input.files.map((f) => f.sha256);
    if (now.length === 0) continue;
    if (now.length !== then.length || now.some((h, i) => h !== then[i])) {
      throw changed(run.run_id, `the files of input ${input.name}`);
    }
  }
}

async function exportsNow(
  spec: InputSpec,
  run: RunId,
  fx: Pick<Effects, "inputs">,
): Promise<Sha256[]> {
  try {
    const found = await fx.inputs.find(spec.file);
    return await Promise.all(found.map(async (f) => (await fx.inputs.hash(f.file)).sha256));
  } catch (e) {
    if (!isTieout(e)) throw e;
    throw new TieoutError("UNKNOWN", {
      subject: run,
      cause:
        `${run} is committed; whether its exports are ` +
        `those of today cannot be told: ${e.message}`,
      remedy: `make ${spec.file} readable in ${fx.inputs.name}, then run the id again`,
      because: e,
    });
  }
}

function changed(run: RunId, what: string): TieoutError {
  const { job, as_of } = partsOf(run);
  return new TieoutError("INPUTS_CHANGED", {
    subject: run,
    cause: `${run} is committed, and ${what} are no longer those that it was made from`,
    remedy:
      `put the old files back, or state ${job} for ${as_of} ` +
      `anew: tieout restate ${run} --reason "<why>"`,
  });
}
