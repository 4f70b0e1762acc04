import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { type Instruction, jsonWords, type Stage, stagesOf } from "./dockerfile.js";
import { type Base, bareRoot, type Root, script } from "./root.js";

/** What `docker build` leaves of a Dockerfile: a root and how it is run. */
export interface Image extends Root {
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  readonly user: string;
  readonly volumes: readonly string[];
  readonly entrypoint: readonly string[];
}

type Making = { -readonly [K in keyof Image]: Image[K] };

/**
 * Follows a Dockerfile's steps without an engine: each stage in a root of its own below `work`,
 * each RUN in it by chroot. An instruction that is not known here fails: nothing is passed over.
 */
export function build(context: string, work: string, base: Base): Image {
  const ignored = ignoredBy(readFileSync(join(context, ".dockerignore"), "utf8"));
  const made = new Map<string, Making>();
  let last: Making | null = null;
  for (const [n, stage] of stagesOf(readFileSync(join(context, "Dockerfile"), "utf8")).entries()) {
    last = begin(stage, join(work, `stage-${n}`), base);
    for (const step of stage.steps) follow(step, last, { context, ignored, made });
    if (stage.name !== null) made.set(stage.name, last);
  }
  if (last === null) throw new Error("the Dockerfile has no stage");
  return last;
}

interface Given {
  readonly context: string;
  readonly ignored: (name: string) => boolean;
  readonly made: ReadonlyMap<string, Making>;
}

function begin(stage: Stage, at: string, base: Base): Making {
  if (!/^node:24(-|$)/.test(stage.from)) throw new Error(`no base for ${stage.from}`);
  const root = bareRoot(at, base);
  return { ...root, env: {}, workdir: "/", user: "root", volumes: [], entrypoint: [] };
}

function follow({ word, text, line }: Instruction, image: Making, given: Given): void {
  if (word === "WORKDIR") {
    image.workdir = text;
    mkdirSync(join(image.root, text), { recursive: true });
  } else if (word === "ENV") {
    const [, name = "", value = ""] = /^(\w+)=(\S*)$/.exec(text) ?? [];
    if (name === "") throw new Error(`Dockerfile:${line}: ENV ${text} is not understood`);
    image.env = { ...image.env, [name]: value };
  } else if (word === "COPY") copy(text, line, image, given);
  else if (word === "RUN") run(text, line, image);
  else if (word === "USER") image.user = text;
  else if (word === "VOLUME") image.volumes = jsonWords(text);
  else if (word === "ENTRYPOINT") image.entrypoint = jsonWords(text);
  else throw new Error(`Dockerfile:${line}: ${word} is not known here`);
}

function copy(text: string, line: number, image: Making, given: Given): void {
  const words = text.split(/\s+/);
  const from = words[0]?.startsWith("--from=") ? words.shift()?.slice("--from=".length) : undefined;
  const to = words.pop() ?? "";
  const target = join(image.root, to.startsWith("/") ? "/" : image.workdir, to);
  for (const word of words) {
    const origin = from === undefined ? given.context : given.made.get(from)?.root;
    if (origin === undefined) throw new Error(`Dockerfile:${line}: there is no stage ${from}`);
    if (from === undefined && given.ignored(word))
      throw new Error(`Dockerfile:${line}: ${word} is left out by .dockerignore`);
    const source = join(origin, word);
    if (!existsSync(source)) throw new Error(`Dockerfile:${line}: there is no ${word}`);
    const whole = words.length > 1 || to.endsWith("/");
    const into = whole ? join(target, basename(word)) : target;
    cpSync(source, into, { recursive: true, verbatimSymlinks: true });
  }
}

function run(text: string, line: number, image: Making): void {
  const inside = `cd ${image.workdir} && ${text}`;
  const { status } = spawnSync("unshare", ["--mount", "sh", "-ec", script(image, "writable")], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...image.env, HOME: "/root", INSIDE: inside, PATH: image.path },
  });
  if (status !== 0) throw new Error(`Dockerfile:${line}: RUN ended with ${status}`);
}

/** The subset of .dockerignore that ours uses: `*` leaves all out, `!name` takes one back in. */
function ignoredBy(text: string): (name: string) => boolean {
  const lines = text.split("\n").filter((l) => l !== "" && !l.startsWith("#"));
  const back = new Set(lines.filter((l) => l.startsWith("!")).map((l) => l.slice(1)));
  if (!lines.includes("*")) throw new Error(".dockerignore is expected to leave out everything");
  return (name) => !back.has(name);
}

/** Takes a root away with all that was put there; nothing is mounted outside its own processes. */
export function discard(root: string): void {
  rmSync(root, { recursive: true, force: true });
  if (existsSync(root)) throw new Error(`${root} is still there: ${readdirSync(root).join(", ")}`);
}

/** The version that a program of the image says it is. */
export function versionIn(image: Image, program: string): string {
  return execFileSync("unshare", ["--mount", "sh", "-ec", script(image, "writable")], {
    env: { INSIDE: `${program} --version`, PATH: image.path },
    encoding: "utf8",
  }).trim();
}
