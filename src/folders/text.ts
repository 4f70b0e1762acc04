import { TieoutError } from "../model/errors.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes of a text of ours. @throws DISK when they are not UTF-8, so not what was written */
export function textOf(bytes: Uint8Array, subject: string): string {
  try {
    return decoder.decode(bytes);
  } catch (e) {
    throw new TieoutError("DISK", {
      subject,
      cause: "this text is not UTF-8, so it is not what was written",
      remedy: "run the id again: a new attempt writes its own files",
      because: e,
    });
  }
}
