import type { Engine } from "../engines/engine.js";
import { isTieout, nearest, type TieoutError } from "../model/errors.js";
import type { Job } from "../model/job.js";
import { type Problem, wrong } from "../model/mistake.js";

type Needs = Pick<Engine, "ask" | "vet" | "dialect" | "name" | "version">;

const MOST_FUNCTIONS = 100_000;

/**
 * Names under a job's `allow: functions` that allow nothing: those that the engine does not have,
 * with the nearest that it has and a job may allow, and those that no job may allow.
 */
export async function allowedProblems({ allow }: Job, engine: Needs): Promise<Problem[]> {
  if (allow === undefined) return [];
  const { functions } = engine.dialect;
  const question = { sql: functions, params: [], relations: [], limit: MOST_FUNCTIONS };
  const known = (await engine.ask(question)).rows.map(([name]) => name ?? "");
  const found: Problem[] = [];
  for (const [i, name] of allow.functions.entries()) {
    const path = ["allow", "functions", i];
    const refused = await refusalOf(name, engine);
    if (refused !== null) found.push(wrong(path, refused.message, refused.remedy));
    else if (!known.includes(name)) {
      const near = nearest(name, known);
      const usable = near !== null && (await refusalOf(near, engine)) === null;
      const message = `there is no function ${name} in ${engine.name} ${engine.version}`;
      found.push(wrong(path, message, "one of its functions", usable ? near : null));
    }
  }
  return found;
}

/** Why the engine would refuse a call although the job allows it; null when it would not. */
async function refusalOf(name: string, engine: Needs): Promise<TieoutError | null> {
  try {
    await engine.vet(`SELECT ${engine.dialect.id(name)}()`, [], [name]);
    return null;
  } catch (e) {
    if (isTieout(e, "REFUSED")) return e;
    throw e;
  }
}
