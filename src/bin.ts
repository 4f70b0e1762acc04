#!/usr/bin/env node
import { createRequire } from "node:module";

/**
 * The executable. Help is printed from texts made at build time, so that asking for it loads
 * nothing; everything else is loaded when a command needs it.
 */
const argv = process.argv.slice(2);

if (process.platform === "win32") {
  process.stderr.write("USAGE  tieout runs on Linux and macOS\n  → use WSL or a container\n");
  process.exitCode = 2;
} else if (!printHelp(argv)) process.exitCode = await main(argv);

async function main(args: readonly string[]): Promise<number> {
  const { runCommand } = await import("./faces/cli.js");
  const { openDesk } = await import("./wire.js");
  const { terminalProgress } = await import("./faces/progress.js");
  const { VERSION } = await import("./build-info.js");
  const stop = new AbortController();
  let signalled: number | null = null;
  for (const [signal, exit] of [
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const) {
    process.on(signal, () => {
      if (signalled !== null) process.exit(exit);
      signalled = exit;
      stop.abort();
    });
  }
  const progress = terminalProgress(process.stderr);
  const exit = await runCommand(args, {
    out: (text) => {
      progress.clear();
      process.stdout.write(text);
    },
    err: (text) => {
      progress.clear();
      process.stderr.write(text);
    },
    version: VERSION,
    person: process.stderr.isTTY === true,
    open: (flags) =>
      openDesk({
        cwd: process.cwd(),
        env: process.env,
        flags,
        progress,
        logs: process.stderr.isTTY ? "nowhere" : "stderr",
        signal: stop.signal,
        agent: null,
      }),
  });
  return signalled ?? exit;
}

/** True when help or the version was all that was asked for, and has been printed. */
function printHelp(args: readonly string[]): boolean {
  const asked = args.some((a) => a === "--help" || a === "-h");
  const texts = asked || args.length === 0 ? madeHelp() : null;
  const command = args.find((a) => !a.startsWith("-")) ?? "";
  const text = texts?.[command];
  if (text === undefined) return false;
  process.stdout.write(text);
  return true;
}

function madeHelp(): Readonly<Record<string, string>> | null {
  try {
    return createRequire(import.meta.url)("./help.json");
  } catch {
    return null; // run from sources: commander makes the same texts
  }
}
