/**
 * Failing each operation in turn: a plan says which call fails and how, and every port that is
 * wrapped with the same `Faults` counts on one counter. A loop runs at = 1, 2, 3 … until a run
 * passes whose `failed` is null; nothing in the code under test knows of it.
 */
export interface FaultPlan {
  /** The call that fails, from 1. 0 fails none: a plan that only records. */
  readonly at: number;
  readonly mode: FaultMode;
  /** Whether only that call fails, or all from it on. A kill is onward by its nature. */
  readonly times: "once" | "onward";
}

/**
 * - before: the call throws and has no effect
 * - after: it has its effect and throws: the response was lost
 * - torn: it has a part of its effect and throws; where nothing can be torn, as `before`
 * - lie: it does less than it says and succeeds; where nothing can lie, it just succeeds
 * - kill: the process is gone: this call and all later ones throw `Killed` without effect
 */
export type FaultMode = "before" | "after" | "torn" | "lie" | "kill";

/** What the process that died at a call cannot tell anybody: code under test must not handle it. */
export class Killed extends Error {
  constructor(call: string) {
    super(`killed at ${call}`);
    this.name = "Killed";
  }
}

export interface Faults {
  /** Every call so far, such as `write journal.jsonl`, in the order they were made. */
  readonly calls: readonly string[];
  /** The first call that failed (or lied); null: the run was clean. */
  readonly failed: string | null;
  readonly through: <T>(call: string, doings: Doings<T>) => Promise<T>;
}

interface Doings<T> {
  readonly effect: () => Promise<T>;
  readonly error: () => Error;
  readonly torn?: (() => Promise<unknown>) | undefined;
  readonly lie?: (() => Promise<T>) | undefined;
}

export const NO_FAULT: FaultPlan = { at: 0, mode: "before", times: "once" };

export function faultsOf(plan: FaultPlan): Faults {
  const calls: string[] = [];
  let failed: string | null = null;
  const hit = (n: number): boolean => {
    const onward = plan.times === "onward" || plan.mode === "kill";
    return plan.at > 0 && (n === plan.at || (onward && n > plan.at));
  };
  return {
    calls,
    get failed() {
      return failed;
    },
    through: async (call, { effect, error, torn, lie }) => {
      calls.push(call);
      if (!hit(calls.length)) return effect();
      failed ??= call;
      if (plan.mode === "kill") throw new Killed(call);
      if (plan.mode === "lie") return (lie ?? effect)();
      if (plan.mode === "after") await effect();
      if (plan.mode === "torn") await torn?.();
      throw error();
    },
  };
}

export interface FaultyPort<T> {
  /** What a call that fails throws. */
  readonly error: (call: string) => Error;
  /** What every call is about; by default what its first argument says. */
  readonly subject?: string;
  /** Methods that are no operations and stay as they are. */
  readonly passes?: readonly (keyof T)[];
  /** Methods that answer an async iterable; they fail at their first step. */
  readonly streams?: readonly (keyof T)[];
  /** What stands in for a method when it is torn, or lies. */
  readonly torn?: Partial<T>;
  readonly lie?: Partial<T>;
}

/** A port whose calls fail as the plan behind `faults` says. */
export function faulty<T extends object>(port: T, faults: Faults, how: FaultyPort<T>): T {
  const has = (names: readonly (keyof T)[] | undefined, name: string | symbol): boolean =>
    names?.some((n) => n === name) ?? false;
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function" || has(how.passes, name)) return method;
      return (...args: unknown[]): unknown => {
        const call = `${String(name)} ${how.subject ?? subjectOf(args[0])}`.trimEnd();
        const error = (): Error => how.error(call);
        if (has(how.streams, name))
          return late(
            () => faults.through(call, { effect: async () => undefined, error }),
            () => Reflect.apply(method, target, args),
          );
        return faults.through(call, {
          effect: async () => Reflect.apply(method, target, args),
          error,
          torn: standIn(how.torn, name, args),
          lie: standIn(how.lie, name, args),
        });
      };
    },
  });
}

function standIn<T extends object>(
  methods: Partial<T> | undefined,
  name: string | symbol,
  args: unknown[],
): (() => Promise<unknown>) | undefined {
  const method: unknown = methods === undefined ? undefined : Reflect.get(methods, name);
  return typeof method === "function"
    ? async () => Reflect.apply(method, methods, args)
    : undefined;
}

async function* late<T>(
  first: () => Promise<unknown>,
  stream: () => AsyncIterable<T>,
): AsyncIterable<T> {
  await first();
  yield* stream();
}

/** The path, key or object that a call is about, as far as one can tell from its first argument. */
function subjectOf(argument: unknown): string {
  if (typeof argument === "string") return argument;
  if (typeof argument !== "object" || argument === null) return "";
  for (const name of ["key", "to", "input"]) {
    const value: unknown = Reflect.get(argument, name);
    if (typeof value === "string") return value;
  }
  return "";
}
