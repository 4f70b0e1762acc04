import { errno } from "../folders/disk.js";
import { TieoutError } from "../model/errors.js";

/** What a failed call on a source's file means: INPUT_MISSING when it is not there, else DISK. */
export function sourceTrouble(subject: string, source: string, e: unknown): unknown {
  const why = errno(e);
  if (why === null) return e;
  if (why === "ENOENT" || why === "ENOTDIR") return missing(subject, source, e);
  return new TieoutError("DISK", {
    subject,
    cause: `the disk of the source ${source} answered ${why}`,
    remedy: `make this readable in ${source}, then run the id again`,
    because: e,
  });
}

export function missing(subject: string, source: string, because?: unknown): TieoutError {
  return new TieoutError("INPUT_MISSING", {
    subject,
    cause: `the source ${source} has no such file`,
    remedy: `put ${subject} into ${source}, then run the id again`,
    because,
  });
}

export function leaves(subject: string, source: string): TieoutError {
  return new TieoutError("INPUT_INVALID", {
    subject,
    cause: `this is a link that leads out of the source ${source}, or to nothing`,
    remedy: `put the file itself into ${source}`,
  });
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Strict UTF-8 without its byte order mark. @throws INPUT_INVALID */
export function strictText(bytes: Uint8Array, subject: string): string {
  try {
    return decoder.decode(bytes);
  } catch (e) {
    throw new TieoutError("INPUT_INVALID", {
      subject,
      cause: "this text is not UTF-8",
      remedy: `save ${subject} as UTF-8`,
      because: e,
    });
  }
}
