import { type DoctorAnswer, diagnosis } from "../model/capabilities.js";
import type { Config } from "../model/config.js";
import { type S3Options, s3Store } from "./s3.js";
import type { Credentials } from "./s3-client.js";
import { probeS3 } from "./s3-probe.js";
import { provenFirst } from "./s3-proven.js";
import type { Timing } from "./s3-retry.js";
import { splitStore } from "./split.js";
import type { Store } from "./store.js";

type S3 = Config["store"]["s3"];

/** What a configuration says of a bucket, as the store takes it. */
function s3Options(
  s3: S3,
  prefix: string,
  credentials: Credentials | null,
  timing: Timing,
): S3Options {
  return {
    bucket: s3.bucket,
    prefix,
    endpoint: s3.endpoint === "" ? null : s3.endpoint,
    region: s3.region,
    path_style: s3.path_style,
    ca_file: s3.ca_file === "" ? null : s3.ca_file,
    credentials,
    lock: s3.lock.mode === "none" ? null : { mode: s3.lock.mode, seconds: s3.lock.seconds },
    timing,
  };
}

/**
 * The configured bucket, and beside it the place of claims and commits where there is another. What
 * is created there waits for the proof that only one caller can.
 * @param moved told of bytes of an object as they leave
 */
export function configuredStore(
  s3: S3,
  prefix: string,
  credentials: Credentials | null,
  timing: Timing,
  moved: (size_bytes: number) => void,
): Store {
  const options = { ...s3Options(s3, prefix, credentials, timing), moved };
  const control = controlOptions(options, s3.control);
  if (control === null) return provenFirst(s3Store(options), options);
  return provenFirst(splitStore(s3Store(options), s3Store(control)), control);
}

/** Null when claims and commits lie where all else does. The control bucket has no lock. */
function controlOptions(main: S3Options, { bucket, prefix }: S3["control"]): S3Options | null {
  if (bucket === "" && prefix === "") return null;
  return { ...main, bucket: bucket === "" ? main.bucket : bucket, prefix, lock: null };
}

/** The doctor's questions to the configured bucket, and to the place of claims and commits. */
export async function probeConfigured(
  s3: S3,
  prefix: string,
  credentials: Credentials | null,
  timing: Timing,
): Promise<DoctorAnswer> {
  const main = s3Options(s3, prefix, credentials, timing);
  const control = controlOptions(main, s3.control);
  const place = ({ bucket, prefix }: S3Options): string => `s3://${bucket}/${prefix}`;
  const beside = control === null ? "" : `, claims and commits in ${place(control)}`;
  return diagnosis("s3", `${place(main)}${beside}`, await probeS3(main, control));
}
