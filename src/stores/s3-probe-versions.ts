import type { Probe } from "../model/capabilities.js";
import { sdk } from "./s3-client.js";
import { named, outcome, put, type Question, type Room } from "./s3-probe-room.js";
import { watched } from "./s3-retry.js";

export interface State {
  readonly versioned: boolean;
  readonly lockable: boolean;
  readonly told: readonly Probe[];
}

/** Whether the bucket keeps versions and can lock them, as it says itself. */
export async function stateOf({ bucket }: Room): Promise<State> {
  const at = { Bucket: bucket.name };
  const versioning = await watched(bucket, (abortSignal) =>
    bucket.client.send(new sdk.GetBucketVersioningCommand(at), { abortSignal }),
  ).then(
    ({ Status }) => Status ?? "off",
    () => "not told",
  );
  const lock = await watched(bucket, (abortSignal) =>
    bucket.client.send(new sdk.GetObjectLockConfigurationCommand(at), { abortSignal }),
  ).then(
    (answer) => answer.ObjectLockConfiguration?.ObjectLockEnabled ?? "off",
    () => "off",
  );
  const told = (probe: string, found: string): Probe => {
    return { probe, expected: "any", found, holds: true, needed: false };
  };
  return {
    versioned: versioning === "Enabled",
    lockable: lock === "Enabled",
    told: [told("versioning", versioning), told("Object Lock", lock)],
  };
}

/** What receipts stand on where the bucket keeps versions. */
export function versionProbes(room: Room, { versioned }: State): Question[] {
  if (!versioned) return [];
  const { client } = room.bucket;
  const textOf = async (name: string, VersionId: string | undefined): Promise<string> => {
    const version = VersionId === undefined ? {} : { VersionId };
    const command = new sdk.GetObjectCommand({ ...named(room, name), ...version });
    return (await (await client.send(command)).Body?.transformToString()) ?? "";
  };
  return [
    {
      probe: "the old bytes by version after an overwrite",
      expected: "the old bytes",
      needed: true,
      run: async () => {
        const { VersionId } = await put(room, "over", "old");
        await put(room, "over", "new");
        const holds = VersionId !== undefined && (await textOf("over", VersionId)) === "old";
        return { found: holds ? "the old bytes" : "other bytes", holds };
      },
    },
    {
      probe: "a delete without a version",
      expected: "a marker; the bytes stay",
      needed: true,
      run: async () => {
        const { VersionId } = await put(room, "marked", "old");
        await client.send(new sdk.DeleteObjectCommand(named(room, "marked")));
        const now = await outcome(() => textOf("marked", undefined));
        const kept = (await textOf("marked", VersionId)) === "old";
        const holds = now.startsWith("404") && kept;
        return { found: holds ? "a marker; the bytes stay" : `${now}; bytes kept: ${kept}`, holds };
      },
    },
  ];
}
