import type { Amount, Progress } from "../model/progress.js";
import { counted, sized } from "./table.js";

/** A line on a terminal that says what is being done; nothing where there is no terminal. */
export interface TerminalProgress extends Progress {
  /** Takes the line away, before something else is written. */
  readonly clear: () => void;
}

interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

export function terminalProgress(screen: Screen): TerminalProgress {
  if (screen.isTTY !== true) return { stage: () => undefined, clear: () => undefined };
  let shown = false;
  return {
    stage: (stage, detail, done, of, amount = {}) => {
      const line = `${stage} ${done + 1}/${of}  ${detail}${amountText(amount)}`.slice(
        0,
        (screen.columns ?? 80) - 1,
      );
      screen.write(`\r\u001b[K${line}`);
      shown = true;
    },
    clear: () => {
      if (shown) screen.write("\r\u001b[K");
      shown = false;
    },
  };
}

function amountText({ rows, size_bytes }: Amount): string {
  const parts = [
    ...(rows === undefined ? [] : [`${counted(rows)} rows`]),
    ...(size_bytes === undefined ? [] : [sized(size_bytes)]),
  ];
  return parts.length === 0 ? "" : `  (${parts.join(", ")} so far)`;
}
