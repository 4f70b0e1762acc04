import { isTieout, nearest } from "../model/errors.js";
import type { Job, LoadedJob } from "../model/job.js";
import {
  DocumentError,
  type DocumentPath,
  type Mistake,
  type Problem,
  wrong,
} from "../model/mistake.js";
import { type Further, parseJob } from "./job.js";

/** What is read of a job's folder; a `Source` is one. */
export interface JobFolder {
  /** The folder as it was given; messages begin with it. */
  readonly name: string;
  readonly find: (glob: string) => Promise<readonly { readonly name: string }[]>;
  /** Text of a file by its name within the folder. @throws INPUT_MISSING, INPUT_INVALID, DISK */
  readonly text: (name: string) => Promise<string>;
}

const FILE = "job.yaml";
/** What is the fault of who wrote the job; a disk that does not answer is not. */
const OF_THE_JOB: ReadonlySet<string> = new Set(["INPUT_MISSING", "INPUT_INVALID", "BAD_VALUE"]);

/**
 * A job from its folder: `job.yaml` and every text that it names. Nothing is executed.
 *
 * @param further what else must be right of a job whose fields are valid, see `parseJob`
 * @throws JOB_INVALID a `DocumentError` with every mistake: of the job, of files that are not
 * there,   and of a folder that is not called as the job. DISK when the folder does not answer
 */
export async function loadJob(folder: JobFolder, further: Further = () => []): Promise<LoadedJob> {
  const file = `${folder.name}/${FILE}`;
  const text = await read(folder, FILE, []);
  if (typeof text !== "string") throw invalid(file, [unplaced(file, text)]);
  const doc = parseJob(text, file, further);
  const files = doc.draft === null ? null : await readFiles(folder, doc.draft);
  const more = [...misnamed(folder, doc.draft), ...(files?.problems ?? [])].map(doc.place);
  const mistakes = [...doc.mistakes, ...more].sort(
    (a, b) => a.line - b.line || a.column - b.column,
  );
  if (doc.job === null || files === null || mistakes.length > 0) throw invalid(file, mistakes);
  return { job: doc.job, sql: files.sql, summary: files.summary };
}

/**
 * SQL files of the folder, and of the folders of those that are named, which the job does not
 * name.
 */
export async function unusedFiles(folder: JobFolder, { sql }: LoadedJob): Promise<string[]> {
  const all = await sqlFiles(folder, Object.keys(sql));
  return all.filter((name) => !Object.hasOwn(sql, name));
}

/** Problems of a job that was loaded, found later, with their places in its file. */
export async function placed(
  folder: JobFolder,
  problems: readonly Problem[],
): Promise<readonly Mistake[]> {
  if (problems.length === 0) return [];
  const { place } = parseJob(await folder.text(FILE), `${folder.name}/${FILE}`);
  return problems.map(place);
}

function invalid(file: string, mistakes: readonly Mistake[]): DocumentError {
  const remedy = "correct each mistake where it stands, then run tieout check";
  return new DocumentError("JOB_INVALID", file, mistakes, remedy);
}

function unplaced(file: string, { at: _, ...what }: Problem): Mistake {
  return { file, line: 0, column: 0, ...what };
}

interface Files {
  readonly sql: Record<string, string>;
  readonly summary: string | null;
  readonly problems: readonly Problem[];
}

async function readFiles(folder: JobFolder, job: Job): Promise<Files> {
  const problems: Problem[] = [];
  const sql: Record<string, string> = {};
  for (const { name, path } of namedSql(job)) {
    const text = Object.hasOwn(sql, name) ? sql[name] : await read(folder, name, path);
    if (typeof text === "string") sql[name] = text;
    else if (text !== undefined) problems.push(text);
  }
  const summary = job.summary === undefined ? null : await read(folder, job.summary, ["summary"]);
  if (summary !== null && typeof summary !== "string") problems.push(summary);
  return { sql, summary: typeof summary === "string" ? summary : null, problems };
}

/** Every SQL file that a job names, with the place where it does. */
function namedSql(job: Job): { name: string; path: DocumentPath }[] {
  const named: { name: string | undefined; path: DocumentPath }[] = [
    ...job.steps.map((step, i) => ({ name: step.sql, path: ["steps", i, "sql"] })),
    ...Object.entries(job.artefacts).flatMap(([artefact, { checks = [] }]) =>
      checks.map((c, i) => ({ name: c.sql, path: ["artefacts", artefact, "checks", i, "sql"] })),
    ),
  ];
  return named.flatMap(({ name, path }) => (name === undefined ? [] : [{ name, path }]));
}

/** The text, or why there is none. */
async function read(
  folder: JobFolder,
  name: string,
  path: DocumentPath,
): Promise<string | Problem> {
  try {
    return await folder.text(name);
  } catch (e) {
    if (!isTieout(e) || !OF_THE_JOB.has(e.code)) throw e;
    if (e.code !== "INPUT_MISSING") return wrong(path, `${name}: ${e.message}`, "a UTF-8 text");
    const near = name.endsWith(".sql") ? nearest(name, await sqlFiles(folder, [name])) : null;
    return wrong(path, `there is no file ${name}`, `a file in ${folder.name}`, near);
  }
}

async function sqlFiles(folder: JobFolder, like: readonly string[]): Promise<string[]> {
  const globs = new Set(["*.sql", "checks/*.sql"]);
  for (const name of like) globs.add(name.replace(/[^/]*$/, "*.sql"));
  const found = new Set<string>();
  for (const glob of globs) for (const { name } of await folder.find(glob)) found.add(name);
  return [...found].sort();
}

/** `jobs/refunds/job.yaml` says `job: refunds`; a folder given as `.` or `..` says no name. */
function misnamed({ name }: JobFolder, job: Job | null): Problem[] {
  const last = name.split("/").findLast((part) => part !== "") ?? "";
  if (job === null || last === "" || last === "." || last === ".." || last === job.job) return [];
  return [wrong(["job"], `job ${job.job} is in a folder called ${last}`, `job: ${last}`, last)];
}
