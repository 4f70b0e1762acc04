import { basename } from "node:path";
import { realDisk, withFile } from "../folders/disk.js";
import { prepare, publish, writeAll } from "../folders/place.js";
import { diskTrouble } from "../folders/trouble.js";
import { sha256Of } from "../model/canonical.js";
import type { Key } from "../model/ids.js";
import { checkKey, checkPrefix } from "./key.js";
import { assertRemovable, extended, type Numbered, readRecorded, record } from "./recorded.js";
import { versionOf } from "./sidecar.js";
import type { Retains, Store, Stored, Tags } from "./store.js";
import { absent, changedOnTheWay, damaged } from "./trouble.js";

/** A store in memory, and the two ways in which a store lets its users down. */
export interface MemoryStore extends Store {
  /** Flips the lowest bit of the first byte; `head` goes on saying what was stored. */
  readonly damage: (key: Key) => void;
  readonly lose: (key: Key) => void;
  readonly tags: (key: Key) => Tags | null;
}

interface Kept {
  readonly stored: Stored;
  readonly bytes: Uint8Array;
  readonly tags: Tags;
}

/**
 * The contract of `Store` in memory; gone with the process.
 * @param put where `fetch` puts a file, sealed; a new file on the local disk by default
 * @param clock milliseconds since 1970; it stands still there by default
 */
export function memoryStore(put: Put = putOnDisk, clock: () => number = () => 0): MemoryStore {
  const objects = new Map<string, Kept>();
  const kept = (key: Key, version?: string): Kept | null => {
    checkKey(key);
    const object = objects.get(key);
    return object && (version ?? object.stored.version) === object.stored.version ? object : null;
  };
  const whole = (key: Key, version?: string): Kept => {
    const object = kept(key, version);
    if (object === null) throw absent(key);
    return object;
  };
  return {
    create: async (key, body, tags = {}) => {
      checkKey(key);
      const bytes = await collect(body.open());
      const sha256 = sha256Of(bytes);
      if (sha256 !== body.sha256) throw changedOnTheWay(key);
      const there = kept(key);
      if (there !== null) return { mine: false, stored: there.stored };
      const size_bytes = bytes.byteLength;
      const stored = { key, sha256, size_bytes, version: versionOf(sha256) };
      objects.set(key, { stored, bytes, tags });
      return { mine: true, stored };
    },
    head: async (key, version) => kept(key, version)?.stored ?? null,
    text: async (key, version) => {
      const { bytes, stored } = whole(key, version);
      if (sha256Of(bytes) !== stored.sha256) throw damaged(key);
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    },
    fetch: async (stored, to) => {
      const { bytes } = whole(stored.key);
      if (sha256Of(bytes) !== stored.sha256) throw damaged(stored.key);
      await put(to, bytes, "sealed");
      return { sha256: stored.sha256, size_bytes: bytes.byteLength };
    },
    list: async (prefix) => {
      checkPrefix(prefix);
      return [...objects.values()]
        .map(({ stored }) => stored.key)
        .filter((key) => key.startsWith(prefix))
        .sort();
    },
    facts: async () => ({
      kind: "memory",
      conditional_create: "one process",
      versions: false,
      retention: "recorded",
    }),
    ...memoryRetention(
      whole,
      ({ key, version }) => kept(key, version) !== null && objects.delete(key),
      clock,
    ),
    damage: (key) => {
      const object = whole(key);
      const bytes = Uint8Array.from(object.bytes);
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      objects.set(key, { ...object, bytes });
    },
    lose: (key) => {
      objects.delete(key);
    },
    tags: (key) => kept(key)?.tags ?? null,
  };
}

function memoryRetention(
  whole: (key: Key, version?: string) => Kept,
  remove: (stored: Stored) => void,
  clock: () => number,
): Retains {
  const documents = new Map<string, string[]>();
  const numbered = ({ key, version }: Stored): Numbered => {
    whole(key, version);
    const texts = documents.get(`${key} ${version}`) ?? [];
    documents.set(`${key} ${version}`, texts);
    return {
      numbers: async () => texts.map((_, i) => i + 1),
      text: async (n) => texts[n - 1] ?? "",
      create: async (n, text) => n === texts.length + 1 && texts.push(text) > 0,
    };
  };
  const retention: Retains["retention"] = async (stored) =>
    readRecorded(stored.key, numbered(stored));
  return {
    now: async () => clock(),
    retention,
    retain: async (stored, until) => record(stored.key, numbered(stored), extended(until)),
    hold: async (stored, on) =>
      record(stored.key, numbered(stored), (now) => ({ ...now, held: on })),
    remove: async (stored) => {
      const kept = await retention(stored).catch(() => null); // absent is no error
      if (kept !== null) assertRemovable(stored.key, kept, clock());
      remove(stored);
      documents.delete(`${stored.key} ${stored.version}`);
    },
  };
}

type Put = (to: string, bytes: Uint8Array, as: "sealed") => void | Promise<void>;

async function putOnDisk(to: string, bytes: Uint8Array): Promise<void> {
  try {
    const { temporary } = await prepare(realDisk, to, (t) =>
      withFile(realDisk, t, "create", (file) => writeAll(file, [bytes])),
    );
    await publish(realDisk, temporary, to);
  } catch (e) {
    throw diskTrouble(basename(to), e);
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}
