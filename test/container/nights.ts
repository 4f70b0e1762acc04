// Night after night in a container, without an engine: the Dockerfile's steps are followed into a root of
// their own, and its contract is held to while it runs: user `node`, a read-only root, one volume, no network
// but the store. Night 1 runs from a fresh root, which is then deleted; night 2 has another root and, of the first,
// nothing but the store. `npx tsx test/container/nights.ts`, as root on Linux.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, discard, type Image, versionIn } from "./image.js";
import { type Base, script } from "./root.js";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const NODE_24 = "24.21.0";
const [WEEK_1, WEEK_2] = ["2026-08-03", "2026-08-10"] as const;
const VOLUME = "/srv/tieout/.tieout";
const [PORT, BUCKET] = [9000, "kept"];
const SETTINGS = {
  TIEOUT_STORE_S3_BUCKET: BUCKET,
  TIEOUT_STORE_S3_ENDPOINT: `http://127.0.0.1:${PORT}`,
  TIEOUT_STORE_S3_REGION: "us-east-1",
  TIEOUT_STORE_S3_PATH_STYLE: "true",
  TIEOUT_STORE_S3_LOCK_MODE: "governance",
  AWS_ACCESS_KEY_ID: "tester",
  AWS_SECRET_ACCESS_KEY: "testsecret",
};

const needs = missing();
if (needs.length > 0) {
  process.stderr.write(`skipped: it needs ${needs.join(" and ")}\n`);
  process.exit(process.argv.includes("--or-skip") ? 0 : 1);
}

const work = mkdtempSync(join(tmpdir(), "tieout-container-"));
const store = await startStore();
try {
  const first = build(PROJECT, join(work, "image-1"), baseBelow(work));
  const second = copyOf(first, join(work, "image-1"), join(work, "image-2"));
  told("the Dockerfile's steps, each in its root", `node ${versionIn(first, "node")}`);
  const volume = volumeBelow(work, "volume-1");
  holdsItsContract(first, volume);
  night(first, volume, WEEK_1, "is committed", []);
  for (const gone of ["image-1", "volume-1"]) discard(join(work, gone));

  const other = volumeBelow(work, "volume-2");
  const elsewhere = ["--root", `${VOLUME}/elsewhere`];
  const said = night(second, other, WEEK_2, "is committed", elsewhere);
  expectIn(said, `previous.discrepancies of refunds-${WEEK_1}`, "night 2 carries night 1 forward");
  expectIn(said, "23 of 2000 seller accounts", "night 2");
  expectIn(said, "4118.62 USD", "night 2");
  night(second, other, WEEK_2, "was committed before", elsewhere);
  const sound = inContainer(second, other, `tieout recheck refunds-${WEEK_2}`);
  expectIn(sound.out, `refunds-${WEEK_2} is sound`, "recheck");
  told("night 2 under another root, from the store alone", "the numbers are the expected ones");
} finally {
  store.stdin.end();
  discard(work);
}

/**
 * The store, in a network of its own with no way out: whatever enters that network reaches the
 * store and nothing else.
 */
async function startStore() {
  const serve = `ip link set lo up && exec "$@"`;
  const double = [join(PROJECT, "test/double/serve.ts"), String(PORT), BUCKET];
  const child = spawn(
    "unshare",
    ["--net", "sh", "-c", serve, "sh", process.execPath, "--import", "tsx", ...double],
    { cwd: PROJECT, stdio: ["pipe", "pipe", "inherit"] },
  );
  await new Promise((ready, failed) => {
    child.stdout.once("data", ready);
    child.once("exit", (code) => failed(new Error(`the store ended with ${code}`)));
  });
  return child;
}

function missing(): string[] {
  const can = (...words: string[]) => spawnSync(words[0] ?? "", words.slice(1)).status === 0;
  return [
    ...(process.platform === "linux" ? [] : ["Linux"]),
    ...(process.getuid?.() === 0 ? [] : ["root, to mount and to chroot"]),
    ...(can("unshare", "--mount", "--net", "--pid", "--fork", "true") ? [] : ["unshare"]),
    ...(can("setpriv", "--version") ? [] : ["setpriv"]),
    ...(can("nsenter", "--version") ? [] : ["nsenter"]),
    ...(can("ip", "-V") ? [] : ["ip"]),
  ];
}

/** node 24 by its npm package, and the npm that runs this. */
function baseBelow(work: string): Base {
  const prefix = join(work, "node");
  const install = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", prefix];
  execFileSync("npm", [...install, `node@${NODE_24}`], { stdio: "inherit" });
  const command = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
  const npm = dirname(dirname(realpathSync(command)));
  return { node: join(prefix, "node_modules/node"), npm };
}

/** The image on another machine: the same bytes under another folder. */
function copyOf(image: Image, from: string, to: string): Image {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const moved = (path: string) => join(to, path.slice(from.length));
  return { ...image, root: moved(image.root), local: moved(image.local) };
}

/** A new named volume has the owner of the image's folder that it covers: `node`. */
function volumeBelow(work: string, name: string): string {
  const volume = join(work, name);
  mkdirSync(volume);
  chownSync(volume, 1000, 1000);
  return volume;
}

interface Ended {
  readonly out: string;
  readonly err: string;
  readonly exit: number | null;
}

/** One command in a container of the image: its own mounts and processes, and the store's network. */
function inContainer(image: Image, volume: string, command: string, week?: string): Ended {
  const volumes: Record<string, string> = { [VOLUME]: volume };
  volumes["/srv/tieout/jobs"] = join(PROJECT, "jobs");
  if (week !== undefined) volumes["/exports"] = join(PROJECT, "fixtures/refunds", week);
  for (const at of Object.keys(volumes)) mkdirSync(join(image.root, at), { recursive: true });
  const apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child"];
  const { stdout, stderr, status } = spawnSync(
    "nsenter",
    [`--net=/proc/${store.pid}/ns/net`, ...apart, "sh", "-ec", script(image, "read-only", volumes)],
    {
      env: {
        ...SETTINGS,
        ...image.env,
        PATH: image.path,
        INSIDE: `cd ${image.workdir} && ${command}`,
      },
      encoding: "utf8",
    },
  );
  return { out: stdout, err: stderr, exit: status };
}

function night(image: Image, volume: string, week: string, says: string, flags: string[]): string {
  const words = [...image.entrypoint, "run", "refunds", "--as-of", week, "--inputs", "/exports"];
  const { out, err, exit } = inContainer(image, volume, [...words, ...flags].join(" "), week);
  if (exit !== 0) throw new Error(`the night of ${week} ended with ${exit}\n${out}${err}`);
  expectIn(out, `refunds-${week} ${says}`, `the night of ${week}`);
  told(`the night of ${week}`, says);
  return out;
}

/** What the Dockerfile promises is true while it runs; each probe would succeed if it were not. */
function holdsItsContract(image: Image, volume: string): void {
  const probe = (command: string) => inContainer(image, volume, command);
  const user = probe("id -u").out.trim();
  if (user !== "1000" || image.user !== "node") throw new Error(`it runs as ${user}`);
  const paths = ["/x", "/tmp/x", "/srv/tieout/x", "/opt/tieout/x", "/usr/local/bin/x", "/opt/x"];
  for (const path of paths)
    if (probe(`echo x > ${path}`).exit === 0) throw new Error(`${path} could be written`);
  if (probe(`echo x > ${VOLUME}/x && rm ${VOLUME}/x`).exit !== 0)
    throw new Error("the volume cannot be written");
  if (image.volumes.join() !== VOLUME) throw new Error(`volumes: ${image.volumes.join(", ")}`);
  const dial = `node -e 'fetch("http://192.0.2.1").catch((e) => process.exit(7))'`;
  if (probe(dial).exit !== 7) throw new Error("there is a way out of the store's network");
  told("user node, a read-only root, one volume, no network but the store", "held");
}

function expectIn(text: string, wanted: string, what: string): void {
  if (!text.includes(wanted)) throw new Error(`${what}: no "${wanted}" in\n${text}`);
}

function told(what: string, how: string): void {
  process.stdout.write(`ok  ${what}: ${how}\n`);
}
