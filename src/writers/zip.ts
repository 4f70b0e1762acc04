import { type FileHandle, open, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { crc32, createDeflateRaw } from "node:zlib";
import { centralHeader, endRecord, localHeader, ZIP_BYTES, type ZipPart } from "../formats/zip.js";
import { TieoutError } from "../model/errors.js";
import type { Path } from "../model/ids.js";

/** One file inside a zip; its text is asked for once, when its turn comes. */
export interface PartText {
  readonly name: string;
  readonly text: string | AsyncIterable<string>;
}

/**
 * Writes a zip of deflated UTF-8 parts, in order. A part's text is drawn as fast as the disk takes
 * it, so memory does not grow with it. The same texts give the same bytes. A failed call leaves no
 * file.
 * @throws INEXACT for a file or part of 4 GiB or more, DISK_FULL, DISK; and what a part's text
 * throws
 */
export async function writeZip(
  to: Path,
  subject: string,
  parts: readonly PartText[],
): Promise<void> {
  const file = await open(to, "wx").catch((e: unknown) => {
    throw diskTrouble(e, subject);
  });
  try {
    let at = 0;
    const headers: Uint8Array[] = [];
    for (const part of parts) {
      const written = await writePart(file, part, at, subject);
      at += localHeader(written).byteLength + written.packed;
      headers.push(centralHeader(written));
    }
    const directory = Buffer.concat(headers);
    if (at + directory.byteLength > ZIP_BYTES) throw tooLarge(subject);
    const end = endRecord(parts.length, directory.byteLength, at);
    await writeAll(file, Buffer.concat([directory, end]), at);
  } catch (e) {
    await file.close();
    await rm(to, { force: true });
    throw diskTrouble(e, subject);
  }
  await file.close();
}

/** The header is written last, over the room left for it: only then are the sizes known. */
async function writePart(
  file: FileHandle,
  { name, text }: PartText,
  offset: number,
  subject: string,
): Promise<ZipPart> {
  let [crc, size, packed] = [0, 0, 0];
  const body = offset + localHeader({ name, crc, packed, size, offset }).byteLength;
  await pipeline(
    async function* () {
      for await (const piece of typeof text === "string" ? [text] : text) {
        const bytes = Buffer.from(piece);
        crc = crc32(bytes, crc);
        size += bytes.byteLength;
        if (size > ZIP_BYTES) throw tooLarge(subject);
        yield bytes;
      }
    },
    createDeflateRaw(),
    async (deflated: AsyncIterable<Uint8Array>) => {
      for await (const bytes of deflated) {
        await writeAll(file, bytes, body + packed);
        packed += bytes.byteLength;
      }
    },
  );
  const part = { name, crc, packed, size, offset };
  if (body + packed > ZIP_BYTES) throw tooLarge(subject);
  await writeAll(file, localHeader(part), offset);
  return part;
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(
      bytes,
      done,
      bytes.byteLength - done,
      position + done,
    );
    done += bytesWritten;
  }
}

function tooLarge(subject: string): TieoutError {
  return new TieoutError("INEXACT", {
    subject,
    cause: "a workbook cannot hold 4 GiB",
    remedy: "name the artefact .csv or .parquet, or select fewer columns into it",
  });
}

function diskTrouble(e: unknown, subject: string): unknown {
  const code = e instanceof Error && "code" in e ? e.code : null;
  if (e instanceof TieoutError || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return e;
  const full = code === "ENOSPC" || code === "EDQUOT";
  return new TieoutError(full ? "DISK_FULL" : "DISK", {
    subject,
    cause: full ? "the disk is full" : `the disk refused the workbook (${code})`,
    remedy: full ? "free space under the run's root, then run the id again" : "run the id again",
    because: e,
  });
}
