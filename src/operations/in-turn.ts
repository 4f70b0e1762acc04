import { isTieout, TieoutError } from "../model/errors.js";
import { AsOf } from "../model/ids.js";
import type { RunAnswer } from "../model/report.js";

const DAY_MS = 86_400_000;

/** Every date from one to another, both included. @throws USAGE when they are not in order */
export function datesBetween(from: AsOf, to: AsOf): AsOf[] {
  if (from > to)
    throw new TieoutError("USAGE", {
      subject: `${from} to ${to}`,
      cause: "the first date is after the last",
      remedy: `use --from ${to} --to ${from}`,
    });
  const dates: AsOf[] = [];
  for (let day = Date.parse(`${from}T00:00:00Z`); ; day += DAY_MS) {
    const date = AsOf.parse(new Date(day).toISOString().slice(0, 10));
    dates.push(date);
    if (date >= to) return dates;
  }
}

/**
 * Several runs one after the other, each on what the one before committed.
 * @throws the first error, with the run at which it stopped and how many before it are committed
 */
export async function inTurn<T>(
  all: readonly T[],
  name: (one: T) => string,
  work: (one: T) => Promise<RunAnswer>,
): Promise<RunAnswer[]> {
  const answers: RunAnswer[] = [];
  for (const one of all) {
    try {
      answers.push(await work(one));
    } catch (e) {
      if (!isTieout(e) || all.length === 1) throw e;
      const [done, of] = [answers.length, all.length];
      throw new TieoutError(e.code, {
        subject: e.subject,
        cause: `stopped at ${name(one)}, after ${done} of ${of}: ${e.message}`,
        remedy: e.remedy,
        at: { ...e.at, stopped_at: name(one), done, of },
        because: e,
      });
    }
  }
  return answers;
}

/** One line of each, for the answer of several. */
export function nightsOf(answers: readonly RunAnswer[]) {
  return answers.map(({ run_id, repeated, outcome, exit, pending }) => {
    return { run_id, repeated, outcome, exit, pending };
  });
}

/** The exit code of the first that has one. */
export function firstExit(nights: readonly { readonly exit: number }[]): number {
  return nights.find((n) => n.exit !== 0)?.exit ?? 0;
}
