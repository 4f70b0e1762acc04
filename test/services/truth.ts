import { existsSync, readFileSync } from "node:fs";
import { textBody } from "../../src/model/canonical.js";
import { isTieout } from "../../src/model/errors.js";
import type { Key, Path } from "../../src/model/ids.js";
import type { Store, Stored } from "../../src/stores/store.js";

/** One bucket, asked over a bad network and over a good one. */
export interface Bench {
  readonly through: Store;
  readonly direct: Store;
  readonly to: (name: string) => Path;
}

/** What a call on a bad network said, held against what the good one shows afterwards. */
type Act = (key: Key, bench: Bench) => Promise<readonly string[]>;

const TEXT = "seller_id,delta\n000468,1276.86\n";
const UNTIL = "2031-01-01T00:00:00.000Z";

/** Every call of a store, by name; each gives what it said that is not so. */
export const ACTS: Readonly<Record<string, Act>> = {
  create: async (key, { through, direct }) => {
    const body = textBody(TEXT);
    const said = await outcome(() => through.create(key, body, { job: "refunds" }));
    const now = await direct.head(key);
    const again = await direct.create(key, body);
    return [
      ...(again.stored.sha256 === body.sha256 ? [] : ["other bytes are under the key"]),
      ...("error" in said ? createErrors(said.error, now) : kept(said.value, body.sha256, now)),
    ];
  },
  head: async (key, { through, direct }) => {
    const stored = await given(direct, key);
    const said = await outcome(() => through.head(key));
    if ("error" in said) return only(said.error, ["UNKNOWN"]);
    return said.value?.sha256 === stored.sha256 ? [] : ["it did not see what is there"];
  },
  "head of nothing": async (key, { through }) => {
    const said = await outcome(() => through.head(key));
    if ("error" in said) return only(said.error, ["UNKNOWN"]);
    return said.value === null ? [] : ["it saw what is not there"];
  },
  text: async (key, { through, direct }) => {
    const stored = await given(direct, key);
    const said = await outcome(() => through.text(key, stored.version));
    if ("error" in said) return only(said.error, ["UNKNOWN", "DAMAGED"]);
    return said.value === TEXT ? [] : ["it gave another text"];
  },
  fetch: async (key, { through, direct, to }) => {
    const stored = await given(direct, key);
    const path = to(key.replaceAll("/", "-"));
    const said = await outcome(() => through.fetch(stored, path));
    const file = existsSync(path) ? readFileSync(path, "utf8") : null;
    if ("error" in said)
      return [
        ...only(said.error, ["UNKNOWN", "DAMAGED"]),
        ...(file === null ? [] : ["a file is left"]),
      ];
    return file === TEXT ? [] : ["the file holds other bytes"];
  },
  list: async (key, { through, direct }) => {
    await given(direct, `${key}/a` as Key);
    await given(direct, `${key}/b` as Key);
    const said = await outcome(() => through.list(`${key}/` as Key));
    if ("error" in said) return only(said.error, ["UNKNOWN"]);
    const keys = said.value.join(" ");
    return keys === `${key}/a ${key}/b` ? [] : [`it listed ${keys}`];
  },
  retain: async (key, { through, direct }) => {
    const stored = await given(direct, key);
    const said = await outcome(() => through.retain(stored, UNTIL));
    const now = await direct.retention(stored);
    if ("error" in said) return only(said.error, ["UNKNOWN", "STORE"]);
    return said.value.until === now.until && now.until === UNTIL
      ? []
      : [`it said ${said.value.until}, and it is ${now.until}`];
  },
  remove: async (key, { through, direct }) => {
    const stored = await given(direct, key);
    const said = await outcome(() => through.remove(stored));
    const there = (await direct.head(key, stored.version)) !== null;
    if ("error" in said)
      return [
        ...only(said.error, ["UNKNOWN", "RETAINED"]),
        ...(isTieout(said.error, "STORE") && !there ? ["it said refused, and it is gone"] : []),
      ];
    return there ? ["it is still there"] : [];
  },
};

function createErrors(error: unknown, now: Stored | null): string[] {
  if (isTieout(error, "STORE") && now !== null)
    return ["it said that surely nothing was stored, and it was"];
  return only(error, ["UNKNOWN", "STORE"]);
}

function kept(
  said: { mine: boolean; stored: Stored },
  sha256: string,
  now: Stored | null,
): string[] {
  return [
    ...(now === null ? ["it said that the object is there, and it is not"] : []),
    ...(said.stored.sha256 === sha256 ? [] : ["it named other bytes"]),
    // A 412 on our own object may come of a retry on the way, which nobody told us of.
    ...(said.mine || said.stored.sha256 === sha256 ? [] : ["somebody else was to have made it"]),
    ...(now === null || now.version === said.stored.version ? [] : ["it named another version"]),
  ];
}

async function given(direct: Store, key: Key): Promise<Stored> {
  return (await direct.create(key, textBody(TEXT))).stored;
}

/** A refusal is true of any call: clocks that differ for good make every signature a wrong one. */
function only(error: unknown, codes: readonly string[]): string[] {
  const isRefused = isTieout(error, "STORE") && error.message.startsWith("the store refused");
  return isRefused || (isTieout(error) && codes.includes(error.code))
    ? []
    : [`it threw ${String(error)}`];
}

async function outcome<T>(
  call: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await call() };
  } catch (error) {
    return { error };
  }
}
