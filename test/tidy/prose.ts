import type { Complaint } from "./source.js";

/** Any text file of the project. */
export interface Text {
  readonly file: string;
  readonly text: string;
}

interface Word {
  readonly what: RegExp;
  readonly says: string;
}

/** Put together from parts, so that this file does not contain what it looks for. */
function oneOf(...parts: readonly (readonly string[])[]): RegExp {
  return new RegExp(parts.map((p) => p.join("")).join("|"));
}

const MARKERS: Word = {
  what: oneOf(
    ["\\b(TO", "DO|FIX", "ME|X", "XX|HA", "CK)\\b"],
    ["\\bnot imple", "mented\\b"],
    ["\\b(it|test|describe)\\.(skip|only|to", "do)\\("],
  ),
  says: "a left-over: finish it, or take it out and open an issue",
};
const MACHINE: Word = {
  what: oneOf(
    ["(^|[^\\w./-])/(ho", "me|Us", "ers)/\\w+/\\w"],
    ["(^|[^\\w./-])/(ro", "ot|wo", "rk)/\\w"],
    ["\\b[A-Z]:\\\\{1,2}(Us", "ers|Win", "dows)\\b"],
  ),
  says: "a path of one machine: use a path relative to the project, or a temporary folder",
};
const DANGLING: Word = {
  what: oneOf(
    ["\\bthe (bri", "ef|is", "sue)\\b"],
    ["\\b(FA", "CTS|SAND", "BOX|BRI", "EF)(\\.md)?\\b"],
  ),
  says: "a paper that the project does not have: say the reason itself",
};

export function prose(all: readonly Text[]): Complaint[] {
  return all.flatMap(({ file, text }) =>
    text.split("\n").flatMap((line, n) =>
      [MARKERS, MACHINE, DANGLING]
        .map(({ what, says }) => ({ found: what.exec(line)?.[0], says }))
        .filter(({ found }) => found !== undefined)
        .map(({ found, says }) => ({ file, line: n + 1, says: `"${found?.trim()}": ${says}` })),
    ),
  );
}
