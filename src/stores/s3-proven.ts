import { CREATE_TWICE } from "../model/capabilities.js";
import { isControl } from "../model/layout.js";
import type { S3Options } from "./s3.js";
import { troubleOf } from "./s3-errors.js";
import { createProbes } from "./s3-probe-create.js";
import { roomOf, sweep } from "./s3-probe-room.js";
import type { Store } from "./store.js";
import { storeError } from "./trouble.js";

/**
 * A store that proves, before the first key that only one caller may make, that its server lets
 * only one make it: two creates of a name of its own. Once for each process that writes; reading
 * costs nothing.
 * @param at where such keys go
 */
export function provenFirst<S extends Store>(store: S, at: S3Options): S {
  let proof: Promise<void> | null = null;
  const proven = async (): Promise<void> => {
    proof ??= prove(at);
    await proof.catch((e) => {
      proof = null;
      throw e;
    });
  };
  return {
    ...store,
    create: async (key, body, tags) => {
      if (isControl(key)) await proven();
      return store.create(key, body, tags);
    },
    facts: async () => {
      await proven();
      const facts = await store.facts();
      return {
        ...facts,
        conditional_create: `${facts.conditional_create}: two were tried, one won`,
      };
    },
  };
}

/** @throws STORE when both creates won; UNKNOWN when the server did not say */
async function prove(at: S3Options): Promise<void> {
  const room = roomOf(at);
  const question = createProbes(room).find(({ probe }) => probe === CREATE_TWICE);
  const { holds, found } = (await question?.run().catch((e) => {
    throw troubleOf(at.bucket, e);
  })) ?? { holds: false, found: "" };
  await sweep(room);
  if (holds) return;
  throw storeError(
    at.bucket,
    `two callers can create one key in this bucket (${found}), so nothing can be committed here`,
    "name a bucket without versions as store.s3.control.bucket, or use another store",
  );
}
