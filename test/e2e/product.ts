import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

/** The built product as a user has it: a working folder with jobs and exports, and processes. */
export const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const BIN = `${PROJECT}dist/bin.js`;

export interface Ended {
  readonly out: string;
  readonly err: string;
  /** The exit code; null when a signal ended the process. */
  readonly exit: number | null;
}

/** A new working folder with copies of `jobs/` and of the exports of the refunds job. */
export function workplace(): string {
  const folder = mkdtempSync(`${tmpdir()}/tieout-`);
  cpSync(`${PROJECT}jobs`, `${folder}/jobs`, { recursive: true });
  cpSync(`${PROJECT}fixtures/refunds`, `${folder}/exports`, { recursive: true });
  return folder;
}

export interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

type Environment = Readonly<Record<string, string>>;

/** One command line in a process of its own; its log is silent unless `env` says otherwise. */
export function start(args: readonly string[], cwd: string, env: Environment = {}): Started {
  return startOf(process.execPath, [BIN, ...args], cwd, env);
}

/** The same under a shell's limits, such as `ulimit -f 64`. */
export function startLimited(limit: string, args: readonly string[], cwd: string): Started {
  const script = `${limit}; exec "$@"`;
  return startOf("bash", ["-c", script, "bash", process.execPath, BIN, ...args], cwd, {});
}

export function tieout(args: readonly string[], cwd: string, env?: Environment): Promise<Ended> {
  return start(args, cwd, env).ended;
}

function startOf(command: string, args: string[], cwd: string, env: Environment): Started {
  if (!existsSync(BIN)) throw new Error("there is no dist/: npm run build makes it");
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TIEOUT|AWS)_/.test(name));
  const child = spawn(command, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), TIEOUT_LOG_LEVEL: "silent", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const read = (stream: NodeJS.ReadableStream): string[] => {
    const parts: string[] = [];
    stream.on("data", (part: Buffer) => parts.push(part.toString()));
    return parts;
  };
  const out = read(child.stdout);
  const err = read(child.stderr);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exit) => resolve({ out: out.join(""), err: err.join(""), exit }));
  });
  return { process: child, ended };
}
