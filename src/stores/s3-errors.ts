import { isTieout, type TieoutError } from "../model/errors.js";
import { storeError, storeUnknown } from "./trouble.js";

/**
 * What a failed request means:
 * - absent: there is no such object or version
 * - taken: a conditional request was refused, or met another one
 * - mismatch: the bytes that arrived are not those that were announced
 * - refused: the server understood and did nothing
 * - unanswered: nobody knows whether it had its effect
 */
export type Meaning = "absent" | "taken" | "mismatch" | "refused" | "unanswered";

/** A status of an answer, null when none came, and the server's word for what is wrong. */
export interface Answer {
  readonly status: number | null;
  readonly code: string;
}

const MISMATCH = ["BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch", "InvalidRequest"];
/** Answers below 500 that are about the moment, not about the request. */
const PASSING = ["RequestTimeout", "RequestTimeTooSkewed", "IncompleteBody", "SlowDown"];

export function answerOf(e: unknown): Answer {
  if (typeof e !== "object" || e === null) return { status: null, code: "" };
  const meta: unknown = Reflect.get(e, "$metadata");
  const status: unknown =
    typeof meta === "object" && meta !== null ? Reflect.get(meta, "httpStatusCode") : null;
  const name: unknown = Reflect.get(e, "code") ?? Reflect.get(e, "Code") ?? Reflect.get(e, "name");
  return {
    status: typeof status === "number" ? status : null,
    code: typeof name === "string" ? name : "",
  };
}

/** What `e` is called on an S3 server; codes beside the protocol's are put by their status. */
export function meaningOf(e: unknown): Meaning {
  const { status, code } = answerOf(e);
  if (code === "CredentialsProviderError") return "refused";
  if (status === null || PASSING.includes(code)) return "unanswered";
  if (code === "NoSuchBucket") return "refused";
  if (status === 404) return "absent";
  if (status === 412 || status === 409) return "taken";
  if (status === 400 && MISMATCH.includes(code)) return "mismatch";
  if (status === 501) return "refused";
  return status < 400 || status >= 500 || status === 429 || status === 408
    ? "unanswered"
    : "refused";
}

/**
 * Whether to ask again. A 403 gets a second chance: the first tells the client the server's time,
 * and an answer to HEAD cannot say that the clocks differ.
 */
export function isPassing(e: unknown, n: number): boolean {
  if (isTieout(e)) return false;
  return meaningOf(e) === "unanswered" || (answerOf(e).status === 403 && n === 1);
}

/** A request that did not work out, in the store's words: STORE when it surely had no effect. */
export function troubleOf(subject: string, e: unknown): unknown {
  if (isTieout(e) || !(e instanceof Error)) return e;
  const { status, code } = answerOf(e);
  const said = status === null ? code || "nothing" : `${status} ${code}`.trim();
  if (meaningOf(e) === "unanswered") return storeUnknown(subject, `the store answered ${said}`, e);
  return refusal(subject, said, e);
}

function refusal(subject: string, said: string, e: unknown): TieoutError {
  return storeError(
    subject,
    `the store refused: ${said}`,
    "check bucket, endpoint, region and credentials with `tieout doctor`",
    e,
  );
}
