import { TieoutError } from "../model/errors.js";
import { type Faults, faulty } from "../model/fault.js";
import type { Source } from "./source.js";

/** A source whose calls fail as planned. */
export function faultySource(source: Source, faults: Faults): Source {
  return faulty(source, faults, {
    error: (call) =>
      new TieoutError("DISK", {
        subject: call,
        cause: "a planned fault: the disk answered EIO",
        remedy: "run the id again",
      }),
  });
}
