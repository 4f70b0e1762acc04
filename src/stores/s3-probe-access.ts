import { sha256Of } from "../model/canonical.js";
import type { S3Options } from "./s3.js";
import { type Bucket, bucketOf, sdk } from "./s3-client.js";
import { named, put, type Question, type Room, refusedBy } from "./s3-probe-room.js";
import { base64Of, sha256In } from "./s3-tags.js";

/** That the server looks at what it is sent, and answers what it was asked. */
export function accessProbes(room: Room, options: S3Options): Question[] {
  return [
    ...hashProbes(room),
    ...signatureProbes(room, options),
    {
      probe: "a list in pages",
      expected: "all 5 keys, in order",
      needed: true,
      run: async () => {
        const names = ["a", "a-b", "a.b", "a_b", "b..c-_.d"];
        for (const name of names) await put(room, `page/${name}`, name);
        const found = await pages(room, 2);
        const holds = found.join() === names.join();
        return { found: holds ? "all 5 keys, in order" : `${found.length} keys`, holds };
      },
    },
    {
      probe: "a key below another key",
      expected: "any: the layout never makes both",
      needed: false,
      run: async () => {
        await put(room, "below", "x");
        const { found, holds } = await refusedBy(() => put(room, "below/key", "y"));
        return { found: holds ? `refused: ${found}` : "both are kept", holds: true };
      },
    },
  ];
}

function hashProbes(room: Room): Question[] {
  const other = sha256Of("other");
  return [
    {
      probe: "a body with another hash than was signed",
      expected: "400",
      needed: true,
      run: () => refusedBy(() => mis(room, "signed", other, base64Of(sha256Of("body")))),
    },
    {
      probe: "a body with another checksum than was announced",
      expected: "400",
      needed: false,
      run: () => refusedBy(() => mis(room, "checksum", sha256Of("body"), base64Of(other))),
    },
    {
      probe: "SHA-256 in the answer to HEAD",
      expected: "echoed",
      needed: false,
      run: async () => {
        await put(room, "echo", "body");
        const command = new sdk.HeadObjectCommand({
          ...named(room, "echo"),
          ChecksumMode: "ENABLED",
        });
        const holds = sha256In(await room.bucket.client.send(command)) === sha256Of("body");
        return { found: holds ? "echoed" : "not told: metadata has it", holds };
      },
    },
  ];
}

/** A PUT whose two hashes are given, right or wrong. */
async function mis(room: Room, name: string, signed: string, checksum: string): Promise<unknown> {
  const command = new sdk.PutObjectCommand({
    ...named(room, name),
    Body: Buffer.from("body"),
    ContentLength: 4,
    ChecksumSHA256: checksum,
  });
  command.middlewareStack.add(
    (next) => async (args) => {
      const { request } = args;
      if (typeof request === "object" && request !== null) {
        const headers: unknown = Reflect.get(request, "headers");
        if (typeof headers === "object" && headers !== null)
          Reflect.set(headers, "x-amz-content-sha256", signed);
      }
      return next(args);
    },
    { step: "build", name: "tieoutOtherHash", priority: "low" },
  );
  return room.bucket.client.send(command);
}

function signatureProbes(room: Room, options: S3Options): Question[] {
  const { credentials } = options;
  const as = (other: Partial<S3Options>): Bucket =>
    bucketOf({ ...options, ...other }, options.bucket, options.prefix, room.bucket);
  const late = (): Bucket => {
    const bucket = as({});
    bucket.client.config.systemClockOffset = -3_600_000;
    return bucket;
  };
  const tried = (bucket: () => Bucket) => () =>
    refusedBy(() => put({ ...room, bucket: bucket() }, "access", "x"));
  const skew: Question = {
    probe: "a request that is an hour old",
    expected: "403",
    needed: false,
    run: tried(late),
  };
  if (credentials === null) return [skew];
  return [
    {
      probe: "a wrong signature",
      expected: "403",
      needed: true,
      run: tried(() => as({ credentials: { ...credentials, secretAccessKey: "not the secret" } })),
    },
    {
      probe: "an unknown access key",
      expected: "403",
      needed: true,
      run: tried(() => as({ credentials: { ...credentials, accessKeyId: "TIEOUTNOBODY0000000" } })),
    },
    skew,
  ];
}

async function pages(room: Room, size: number): Promise<string[]> {
  const { bucket } = room;
  const Prefix = named(room, "page/").Key;
  const found: string[] = [];
  for (let token: string | undefined; ; ) {
    const page = await bucket.client.send(
      new sdk.ListObjectsV2Command({
        Bucket: bucket.name,
        Prefix,
        MaxKeys: size,
        ...(token === undefined ? {} : { ContinuationToken: token }),
      }),
    );
    for (const { Key = "" } of page.Contents ?? []) found.push(Key.slice(Prefix.length));
    token = page.NextContinuationToken;
    if (token === undefined || found.length > 5) return found;
  }
}
