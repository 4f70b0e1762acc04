import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Disk } from "../../src/folders/disk.js";
import type { Folder } from "../../src/folders/folder.js";
import { localFolder } from "../../src/folders/local.js";
import { memoryFolder } from "../../src/folders/memory.js";
import type { Body } from "../../src/model/body.js";
import { sha256Of } from "../../src/model/canonical.js";
import type { Key, Path } from "../../src/model/ids.js";
import { EVERYTHING } from "../../src/model/layout.js";
import { directorySource } from "../../src/sources/directory.js";
import { type MemorySource, memorySource } from "../../src/sources/memory.js";
import type { Source } from "../../src/sources/source.js";
import { directoryStore } from "../../src/stores/dir.js";
import { memoryStore } from "../../src/stores/memory.js";
import type { Store } from "../../src/stores/store.js";
import { inTurn } from "../folders/in-turn.js";
import { unsyncedDisk } from "../folders/unsynced.js";
import type { Bytes } from "./plain.js";
import type { Exports } from "./scenes.js";

/** What lies on the disk and in the store, by name; null is a folder. Bytes as they are, not as told. */
export interface Look {
  readonly disk: ReadonlyMap<string, Uint8Array | null>;
  readonly store: ReadonlyMap<string, Uint8Array>;
}

/** The ports that a process has of a world. */
export interface Ports {
  readonly folder: Folder;
  readonly store: Store;
  readonly inputs: Source;
  /** Leaves a part of a line behind, as a crash does. */
  readonly tear: (path: Path, part: string) => Promise<void>;
}

/** What outlives a process: a disk, a store and the time. */
export interface World {
  readonly root: Path;
  readonly bytes: Bytes;
  readonly clock: { now: number };
  readonly ports: (exports: Exports) => Ports;
  readonly look: () => Promise<Look>;
  /** Changes the lowest bit of the first byte of an object, or of a file below the root. */
  readonly rot: (where: "store" | "disk", name: string) => void;
  readonly lose: (where: "store" | "disk", name: string) => void;
  readonly end: () => void;
}

const START = Date.parse("2026-08-18T06:00:00Z");

/** A world in memory. @param kept the objects that its store begins with */
export async function memoryWorld(
  kept: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<World> {
  const root = "/runs" as Path;
  const clock = { now: START };
  let reading: MemorySource = memorySource({});
  const folder = memoryFolder(root, (path) => reading.read(path));
  const taken = new Map<string, Uint8Array>();
  const put = (to: string, bytes: Uint8Array): void => {
    if (to.startsWith(LOOKING)) taken.set(to, bytes);
    else folder.put(to, bytes, "sealed");
  };
  const store = memoryStore(put, () => clock.now);
  for (const [key, bytes] of kept) {
    await store.create(key as Key, bodyOf(bytes));
  }
  const remove = (path: string): void => void folder.remove(path as Path);
  return {
    root,
    clock,
    bytes: {
      read: async (path) => folder.read(path) ?? absent(path),
      write: async (path, bytes) => folder.put(path, bytes),
    },
    ports: (exports) => {
      const inputs = memorySource(exports, "exports");
      const copy: Folder["copy"] = (from, to) => {
        reading = inputs;
        return folder.copy(from, to);
      };
      const tear = async (path: Path, part: string): Promise<void> =>
        folder.put(path, Buffer.concat([folder.read(path) ?? new Uint8Array(), Buffer.from(part)]));
      return { folder: { ...folder, copy }, store, inputs, tear };
    },
    look: async () => ({
      disk: await namesBelow(folder, root, folder.read),
      store: await objectsOf(store, taken),
    }),
    rot: (where, name) => {
      if (where === "store") return store.damage(name as Key);
      const bytes = flipped(folder.read(join(root, name)) ?? absent(name));
      remove(join(root, name));
      folder.put(join(root, name), bytes, "sealed");
    },
    lose: (where, name) => {
      if (where === "store") store.lose(name as Key);
      else remove(join(root, name));
    },
    end: () => undefined,
  };
}

/** A world in an empty folder of the real disk. @param disk the calls that its folder and store make */
export function diskWorld(dir: string, kept: ReadonlyMap<string, Uint8Array> = new Map()) {
  const root = join(dir, "runs") as Path;
  const objects = join(dir, "store");
  const clock = { now: START };
  let sources = 0;
  for (const [key, bytes] of kept) placeFile(join(objects, key), bytes);
  const ports = (exports: Exports, disk: Disk = unsyncedDisk): Ports => {
    const from = join(dir, `exports-${++sources}`);
    for (const [name, text] of Object.entries(exports)) placeFile(join(from, name), text);
    const ordered = inTurn(disk);
    return {
      folder: localFolder(root, { disk: ordered }),
      store: directoryStore(objects, { disk: ordered, clock: () => clock.now }),
      inputs: directorySource(from, "exports"),
      tear: async (path, part) => writeFileSync(path, part, { flag: "a" }),
    };
  };
  const at = (where: "store" | "disk", name: string): string =>
    join(where === "store" ? objects : root, name);
  return {
    root,
    clock,
    bytes: {
      read: async (path: string) => readFileSync(path),
      write: async (path: string, bytes: Uint8Array) => writeFileSync(path, bytes),
    },
    ports,
    look: async () => ({ disk: filesBelow(root), store: bytesOnly(filesBelow(objects)) }),
    rot: (where, name) => {
      const bytes = flipped(readFileSync(at(where, name)));
      rmSync(at(where, name));
      writeFileSync(at(where, name), bytes, { mode: 0o444 });
    },
    lose: (where, name) => rmSync(at(where, name)),
    end: () => rmSync(dir, { recursive: true, force: true }),
  } satisfies World;
}

const LOOKING = "/looking/";

let looks = 0;

async function objectsOf(store: Store, taken: Map<string, Uint8Array>) {
  const objects = new Map<string, Uint8Array>();
  for (const key of await store.list(EVERYTHING)) {
    const stored = await store.head(key);
    if (stored === null) continue;
    const to = `${LOOKING}${++looks}` as Path;
    // A damaged object is not handed out at all: no bytes stand for wrong ones.
    await store.fetch(stored, to).catch(() => undefined);
    objects.set(key, taken.get(to) ?? new Uint8Array());
    taken.delete(to);
  }
  return objects;
}

async function namesBelow(
  folder: Folder,
  root: string,
  read: (path: string) => Uint8Array | null,
  under = "",
): Promise<Map<string, Uint8Array | null>> {
  const found = new Map<string, Uint8Array | null>();
  for (const name of await folder.list(join(root, under) as Path)) {
    const path = under === "" ? name : `${under}/${name}`;
    const bytes = read(join(root, path));
    found.set(path, bytes);
    if (bytes === null)
      for (const [below, b] of await namesBelow(folder, root, read, path)) found.set(below, b);
  }
  return found;
}

function filesBelow(root: string, under = ""): Map<string, Uint8Array | null> {
  const found = new Map<string, Uint8Array | null>();
  if (!existsSync(join(root, under))) return found;
  for (const entry of readdirSync(join(root, under), { withFileTypes: true })) {
    if (entry.name.startsWith(".")) continue;
    const path = under === "" ? entry.name : `${under}/${entry.name}`;
    found.set(path, entry.isDirectory() ? null : readFileSync(join(root, path)));
    if (entry.isDirectory()) for (const [below, b] of filesBelow(root, path)) found.set(below, b);
  }
  return found;
}

function bytesOnly(all: ReadonlyMap<string, Uint8Array | null>): Map<string, Uint8Array> {
  return new Map([...all].flatMap(([name, bytes]) => (bytes === null ? [] : [[name, bytes]])));
}

function placeFile(path: string, content: string | Uint8Array): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
}

function bodyOf(bytes: Uint8Array): Body {
  const open = async function* () {
    yield bytes;
  };
  return { sha256: sha256Of(bytes), size_bytes: bytes.byteLength, open };
}

function flipped(bytes: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[0] = (changed[0] ?? 0) ^ 1;
  return changed;
}

function absent(path: string): never {
  throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
}
