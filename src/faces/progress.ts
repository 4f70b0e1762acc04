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
  let [current, sent, at]: [string, number, (sent: number) => string] = ["", 0, () => ""];
  const draw = (): void => {
    screen.write(`\r\u001b[K${at(sent).slice(0, (screen.columns ?? 80) - 1)}`);
    shown = true;
  };
  return {
    stage: (stage, detail, done, of, amount = {}) => {
      if (stage !== current) [current, sent] = [stage, 0];
      at = (bytes) => `${stage} ${done + 1}/${of}  ${detail}${amountText(onTheWay(amount, bytes))}`;
      draw();
    },
    moved: (size_bytes) => {
      sent += size_bytes;
      if (shown) draw();
    },
    clear: () => {
      if (shown) screen.write("\r\u001b[K");
      shown = false;
    },
  };
}

/** What is finished, or has left if that is more; never more than all, for tries are repeated. */
function onTheWay(amount: Amount, sent: number): Amount {
  const { size_bytes, of_bytes } = amount;
  if (size_bytes === undefined || of_bytes === undefined) return amount;
  return { ...amount, size_bytes: Math.min(of_bytes, Math.max(size_bytes, sent)) };
}

function amountText({ rows, size_bytes, of_bytes }: Amount): string {
  const all = of_bytes === undefined ? "" : ` of ${sized(of_bytes)}`;
  const parts = [
    ...(rows === undefined ? [] : [`${counted(rows)} rows`]),
    ...(size_bytes === undefined ? [] : [`${sized(size_bytes)}${all}`]),
  ];
  return parts.length === 0 ? "" : `  (${parts.join(", ")} so far)`;
}
