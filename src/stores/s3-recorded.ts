import { textBody } from "../model/canonical.js";
import type { Key } from "../model/ids.js";
import type { Numbered } from "./recorded.js";
import type { Bucket } from "./s3-client.js";
import { type Creating, create } from "./s3-create.js";
import { namesBelow } from "./s3-list.js";
import { text } from "./s3-read.js";
import type { Stored } from "./store.js";

/**
 * The documents of retention in a bucket without Object Lock, beside the object: whoever has the
 * bucket's keys can delete both. Their names are no keys, so that no list shows them.
 */
export function numberedIn(how: Creating, stored: Stored): Numbered {
  const nameOf = (n: number): Key => `${place(stored)}${String(n).padStart(6, "0")}.json` as Key;
  return {
    numbers: async () => {
      const names = await recordedNames(how.bucket, stored);
      return names.flatMap((name) => {
        const number = /\/(\d{6})\.json$/.exec(name)?.[1];
        return number === undefined ? [] : [Number.parseInt(number, 10)];
      });
    },
    text: (n) => text(how.bucket, nameOf(n)),
    create: async (n, document) => {
      const made = await create(how, nameOf(n), textBody(document), { kind: "retention" });
      return made.mine;
    },
  };
}

/** The documents' names, for whoever removes the object. */
export function recordedNames(bucket: Bucket, stored: Stored): Promise<string[]> {
  return namesBelow(bucket, place(stored));
}

/** Prefix of the documents about one version. */
function place(stored: Stored): string {
  return `.tieout/retention/${stored.key}/${stored.version}/`;
}
