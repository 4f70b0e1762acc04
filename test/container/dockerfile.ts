/** One instruction of a Dockerfile, as far as ours uses them. */
export interface Instruction {
  readonly word: string;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

export interface Stage {
  readonly from: string;
  readonly name: string | null;
  readonly steps: readonly Instruction[];
}

/**
 * The stages of a Dockerfile. Continued lines are joined, comments dropped.
 * @throws Error when an instruction stands before the first FROM
 */
export function stagesOf(text: string): Stage[] {
  const stages: { from: string; name: string | null; steps: Instruction[] }[] = [];
  for (const instruction of instructionsOf(text)) {
    if (instruction.word === "FROM") {
      const [, from = "", name = null] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(instruction.text) ?? [];
      stages.push({ from, name, steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`line ${instruction.line}: no FROM before it`);
    stage.steps.push(instruction);
  }
  return stages;
}

function instructionsOf(text: string): Instruction[] {
  const found: Instruction[] = [];
  let open: { text: string; line: number } | null = null;
  for (const [n, line] of text.split("\n").entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const begun: { text: string; line: number } = open ?? { text: "", line: n + 1 };
    const joined = `${begun.text}${line.replace(/\\$/, "")}`;
    open = line.endsWith("\\") ? { text: joined, line: begun.line } : null;
    if (open !== null) continue;
    const [, word = "", rest = ""] = /^\s*(\S+)\s*(.*)$/.exec(joined) ?? [];
    found.push({ word: word.toUpperCase(), text: rest.trim(), line: begun.line });
  }
  return found;
}

/** The form of words that RUN, ENTRYPOINT and VOLUME take as JSON. */
export function jsonWords(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (Array.isArray(words) && words.every((w) => typeof w === "string")) return words;
  throw new Error(`${text} is not a list of words`);
}
