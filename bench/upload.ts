/**
 * `store.create` of a file in a bucket beside a bare HTTP PUT of the same file to the same server:
 * `npx tsx bench/upload.ts [MiB] [runs]`. CPU is this process's; the server is another one.
 */
import { spawn } from "node:child_process";
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { realDisk } from "../src/folders/disk.js";
import { blocks } from "../src/folders/place.js";
import type { Body } from "../src/model/body.js";
import type { Key } from "../src/model/ids.js";
import { s3Store } from "../src/stores/s3.js";
import { machine } from "./measure.js";

const MIB = Number(process.argv[2] ?? 256);
const RUNS = Number(process.argv[3] ?? 7);

const folder = mkdtempSync(`${tmpdir()}/tieout-upload-`);
const file = `${folder}/file`;
writeFileSync(file, Buffer.alloc(MIB * 2 ** 20, "0123456789abcdef\n"));
const sealed = await realDisk.hash(file);
const sink = spawn(process.execPath, [fileURLToPath(new URL("sink.mjs", import.meta.url))], {
  stdio: ["ignore", "pipe", "inherit"],
});
const port = Number(await new Promise((said) => sink.stdout.once("data", said)));

const store = s3Store({
  bucket: "bench",
  prefix: "",
  endpoint: `http://127.0.0.1:${port}`,
  region: "us-east-1",
  path_style: true,
  ca_file: null,
  credentials: { accessKeyId: "bench", secretAccessKey: "bench" },
  lock: null,
  timing: {
    now: () => Date.now(),
    random: () => Math.random(),
    after: (ms, f) => {
      const timer = setTimeout(f, ms);
      return () => clearTimeout(timer);
    },
  },
});
const body: Body = { ...sealed, file, open: () => blocks(realDisk, file) };
let made = 0;

const create = async (): Promise<void> => {
  await store.create(`file-${++made}` as Key, body);
};
const bare = (): Promise<void> =>
  new Promise((done, fail) => {
    const headers = { "content-length": sealed.size_bytes };
    const put = request({ port, method: "PUT", path: `/bench/bare-${++made}`, headers }, (res) => {
      res.resume().on("end", done);
    });
    put.on("error", fail);
    createReadStream(file, { highWaterMark: 2 ** 20 }).pipe(put);
  });

interface Used {
  readonly cpu_s: number;
  readonly wall_s: number;
}

async function used(work: () => Promise<void>): Promise<Used> {
  const cpu = process.cpuUsage();
  const began = process.hrtime.bigint();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const wall_s = Number(process.hrtime.bigint() - began) / 1e9;
  return { cpu_s: (user + system) / 1e6, wall_s };
}

function middle(all: readonly number[]): number {
  return [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
}

await bare();
await create();
const ours: Used[] = [];
const theirs: Used[] = [];
for (let i = 0; i < RUNS; i++) {
  theirs.push(await used(bare));
  ours.push(await used(create));
}
sink.kill();
rmSync(folder, { recursive: true });

const cpu = (all: readonly Used[]): number => middle(all.map((u) => u.cpu_s));
const wall = (all: readonly Used[]): number => middle(all.map((u) => u.wall_s));
console.log(`an upload of ${MIB} MiB beside a bare PUT; medians of ${RUNS}; ${machine()}`);
console.log(`bare PUT      ${cpu(theirs).toFixed(3)} CPU-s, ${wall(theirs).toFixed(3)} s`);
console.log(`store.create  ${cpu(ours).toFixed(3)} CPU-s, ${wall(ours).toFixed(3)} s`);
console.log(
  `ratio         ${(cpu(ours) / cpu(theirs)).toFixed(2)} × CPU, ` +
    `${(wall(ours) / wall(theirs)).toFixed(2)} × wall`,
);
