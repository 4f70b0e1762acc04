import { Readable } from "node:stream";
import type { Body } from "../model/body.js";

/** A body under way, and what became of it. */
export interface Sending {
  readonly stream: Readable;
  /** Why it could not be read to its announced end; null while it can. */
  readonly broken: () => unknown;
}

/** The body is shorter or longer than was announced: a server would wait for the rest forever. */
export class WrongLength extends Error {
  constructor() {
    super("the body has another length than was announced");
    this.name = "WrongLength";
  }
}

/**
 * A fresh stream of a body, which ends the request itself when it breaks: a client that pipes only
 * forgets the request then, and the server waits.
 * @param moved is called with the size in bytes of every chunk that leaves
 */
export function sending(
  body: Body,
  moved: (bytes: number) => void,
  give_up: (because: unknown) => void,
): Sending {
  let broken: unknown = null;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let rest = body.size_bytes;
    try {
      for await (const chunk of body.open()) {
        rest -= chunk.byteLength;
        if (rest < 0) throw new WrongLength();
        moved(chunk.byteLength);
        yield chunk;
      }
      if (rest !== 0) throw new WrongLength();
    } catch (e) {
      broken = e;
      give_up(e);
    }
  }
  return { stream: Readable.from(chunks(), { objectMode: false }), broken: () => broken };
}
