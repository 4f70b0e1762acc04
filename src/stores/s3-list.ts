import { byBytes } from "../folders/disk.js";
import type { Key } from "../model/ids.js";
import { keyOf } from "../model/layout.js";
import { isKey } from "./key.js";
import { type Bucket, sdk } from "./s3-client.js";
import { asked } from "./s3-read.js";

/**
 * Every key below a prefix, sorted by bytes, page by page. A page that says it is not the last and
 * does not say where the next begins is an error: half a list would hide commits. Names that are no
 * keys are not ours.
 */
export async function list(bucket: Bucket, prefix: string): Promise<Key[]> {
  const names = await namesBelow(bucket, prefix);
  return names.filter(isKey).sort(byBytes).map(keyOf);
}

/** Every name below a prefix, without the bucket's own prefix. */
export async function namesBelow(bucket: Bucket, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for (let from: string | undefined; ; ) {
    const page = await asked(bucket, prefix, (abortSignal) => {
      const input = {
        Bucket: bucket.name,
        Prefix: `${bucket.prefix}${prefix}`,
        ...(from === undefined ? {} : { ContinuationToken: from }),
      };
      return bucket.client.send(new sdk.ListObjectsV2Command(input), { abortSignal });
    });
    for (const { Key } of page.Contents ?? [])
      if (Key?.startsWith(bucket.prefix)) names.push(Key.slice(bucket.prefix.length));
    if (page.IsTruncated !== true) return names;
    const next = page.NextContinuationToken;
    if (next === undefined || next === from) throw new Error("a page of keys names no next one");
    from = next;
  }
}
