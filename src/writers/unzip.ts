import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import {
  END_BYTES,
  localHeader,
  readDirectory,
  readEnd,
  same,
  type ZipPart,
} from "../formats/zip.js";
import type { Path } from "../model/ids.js";

/**
 * The parts of a zip as `writeZip` writes it, in order; null when any byte of its headers is
 * otherwise, when parts overlap or leave gaps, and when the file is cut.
 */
export async function zipParts(path: Path): Promise<readonly ZipPart[] | null> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const end = readEnd(await bytesAt(file, Math.max(0, size - END_BYTES), END_BYTES));
    if (end === null || end.offset + end.bytes + END_BYTES !== size) return null;
    const parts = readDirectory(await bytesAt(file, end.offset, end.bytes));
    if (parts === null || parts.length !== end.parts) return null;
    let at = 0;
    for (const part of parts) {
      const header = localHeader(part);
      if (part.offset !== at || !same(await bytesAt(file, at, header.byteLength), header))
        return null;
      at += header.byteLength + part.packed;
    }
    return at === end.offset ? parts : null;
  } finally {
    await file.close();
  }
}

/** A part's text, piece by piece. @throws Error once its bytes are not those that were written */
export async function* partText(path: Path, part: ZipPart): AsyncIterable<string> {
  const start = part.offset + localHeader(part).byteLength;
  const source = createReadStream(path, { start, end: start + part.packed - 1 });
  const inflated = createInflateRaw();
  pipeline(source, inflated, () => {}); // its error is thrown where the text is read
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [crc, size] = [0, 0];
  for await (const bytes of inflated as AsyncIterable<Buffer>) {
    crc = crc32(bytes, crc);
    size += bytes.byteLength;
    if (size > part.size) break;
    yield decoder.decode(bytes, { stream: true });
  }
  if (size !== part.size || crc !== part.crc) throw new Error(`${part.name} is damaged`);
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
