import { Command, CommanderError, Option } from "commander";
import { SETTINGS, type SettingName } from "../model/config.js";
import { EXIT, isTieout, nearest, TieoutError } from "../model/errors.js";
import { type AnyOperation, ask, OPERATIONS } from "../operations.js";
import type { OpenDesk } from "../wire.js";
import { type Flag, flagsOf } from "./flags.js";
import { errorText, outputText } from "./text.js";

/** What the command line writes to and opens; `bin.ts` gives the real ones. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly open: (flags: Readonly<Partial<Record<SettingName, string>>>) => Promise<OpenDesk>;
  readonly version: string;
  /** Whether a person reads `err`: only then are failing rows shown. */
  readonly person: boolean;
}

/** Operations that only exist inside a live step. */
const COMMANDS = OPERATIONS.filter(
  (op): op is (typeof OPERATIONS)[number] => op.kind !== "compute",
);

/**
 * Runs one command line; the process's exit code. Answers go to `out`, everything else to `err`;
 * with `--json` an error is one line of JSON on `err`, the last.
 * @param argv - the arguments after the program's name
 */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  const ended = { exit: EXIT.OK as number };
  const program = programOf(terminal, ended);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return ended.exit;
  } catch (e) {
    if (e instanceof CommanderError && e.exitCode === 0) return EXIT.OK;
    const told = e instanceof CommanderError ? misused(e, program, argv) : e;
    terminal.err(errorText(told, { json: argv.includes("--json"), person: terminal.person }));
    return isTieout(told) ? told.exit : EXIT.BUG;
  }
}

/** The help of the program and of each command, by name; the program's own has the empty name. */
export function helpTexts(version: string): Record<string, string> {
  const nowhere = { out: () => undefined, err: () => undefined, version, person: false };
  const open = () => Promise.reject(new Error("help opens nothing"));
  const program = programOf({ ...nowhere, open }, { exit: 0 });
  const commands = program.commands.map((c) => [c.name(), c.helpInformation()] as const);
  return Object.fromEntries([["", program.helpInformation()], ...commands]);
}

/** A command line that says nothing: what is wrong with it, and the nearest word that there is. */
function misused(e: CommanderError, program: Command, argv: readonly string[]): TieoutError {
  const command = program.commands.find((c) => argv.includes(c.name())) ?? null;
  const cause = e.message.replace(/^error: /, "").replace(/\n.*$/s, "");
  const word = /'([^' ]+)/.exec(cause)?.[1] ?? "";
  const words =
    command === null
      ? program.commands.map((c) => c.name())
      : command.options.map((o) => o.long ?? "");
  const near = /^unknown/.test(cause) ? nearest(word, words) : null;
  const help = command === null ? "tieout --help" : `tieout ${command.name()} --help`;
  return new TieoutError("USAGE", {
    subject: command?.name() ?? "tieout",
    cause,
    remedy: near === null ? `see ${help}` : `use ${near}: see ${help}`,
  });
}

function programOf(terminal: Terminal, ended: { exit: number }): Command {
  const program = new Command("tieout")
    .description("A batch artefact pipeline for data-reconciliation jobs.")
    .version(terminal.version, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput(outputOf(terminal));
  for (const op of COMMANDS) program.addCommand(commandOf(op, terminal, ended));
  return program;
}

function commandOf(op: AnyOperation, terminal: Terminal, ended: { exit: number }): Command {
  const command = new Command(op.name)
    .description(op.says)
    .helpOption("-h, --help", "print this help")
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput(outputOf(terminal));
  const flags = flagsOf(op);
  for (const f of flags) {
    const name = f.field.replaceAll("_", "-");
    if (f.positional) command.argument(f.required ? `<${name}>` : `[${name}]`, f.says);
    else command.addOption(optionOf(f));
  }
  command.option("--json", "print the answer as JSON");
  for (const setting of settingFlags(flags)) command.addOption(setting.option);
  command.action(async (...called: unknown[]) => {
    const options = command.opts<Record<string, unknown>>();
    const desk = await terminal.open(settingsOf(options));
    try {
      const { output, exit } = await ask(op.name, inputOf(flags, called, options), desk);
      terminal.out(outputText(op.name, output, options.json === true));
      ended.exit = exit;
    } finally {
      await desk.close();
    }
  });
  return command;
}

/** An error is thrown and told once, in our own words. */
function outputOf({ out, err }: Terminal) {
  return { writeOut: out, writeErr: err, outputError: () => undefined };
}

function optionOf(f: Flag): Option {
  const option = new Option(f.flags, f.says).argParser(f.read);
  return f.required ? option.makeOptionMandatory() : option;
}

/** Settings of tieout.yaml as flags, but for a name that the operation itself takes. */
function settingFlags(flags: readonly Flag[]): { name: SettingName; option: Option }[] {
  const taken = new Set(flags.map((f) => f.field));
  return (Object.keys(SETTINGS) as SettingName[])
    .filter((name) => !taken.has(name))
    .map((name) => {
      const flag = `--${name.replace(/[._]/g, "-")} <value>`;
      return { name, option: new Option(flag, `setting ${name} of tieout.yaml`).hideHelp() };
    });
}

/** With `--json` all that is printed is JSON, the events on standard error too. */
function settingsOf(
  options: Readonly<Record<string, unknown>>,
): Partial<Record<SettingName, string>> {
  const given = (Object.keys(SETTINGS) as SettingName[]).flatMap((name) => {
    const value = options[camel(name.replace(/[._]/g, "-"))];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return {
    ...(options.json === true ? { "log.format": "json" } : {}),
    ...Object.fromEntries(given),
  };
}

function inputOf(
  flags: readonly Flag[],
  called: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [i, f] of flags.entries()) {
    const value = f.positional ? called[i] : options[camel(f.field.replaceAll("_", "-"))];
    if (value !== undefined) input[f.field] = value;
  }
  return input;
}

function camel(dashed: string): string {
  return dashed.replace(/-(.)/g, (_, c: string) => c.toUpperCase());
}
