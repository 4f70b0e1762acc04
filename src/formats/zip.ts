/**
 * The bytes of a zip file's headers (PKWARE APPNOTE 6.3): deflated parts of known size, all from
 * 1980-01-01, the first date that a zip knows, so that equal content is equal bytes.
 */
export interface ZipPart {
  readonly name: string;
  readonly crc: number;
  /** Bytes in the file, and bytes once inflated; each below 4 GiB. */
  readonly packed: number;
  readonly size: number;
  /** Where the part's local header begins. */
  readonly offset: number;
}

/** Sizes and offsets are 32 bits wide. */
export const ZIP_BYTES = 0xffff_ffff;
export const END_BYTES = 22;
const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const [VERSION, DEFLATE, JAN_1_1980] = [20, 8, 0x21];

export function localHeader(part: ZipPart): Uint8Array {
  const name = new TextEncoder().encode(part.name);
  return bytesOf([[LOCAL, 4], ...shared(part, name), [0, 2]], name);
}

export function centralHeader(part: ZipPart): Uint8Array {
  const name = new TextEncoder().encode(part.name);
  const tail: Field[] = [
    [0, 2], // extra
    [0, 2], // comment
    [0, 2], // disk
    [0, 2], // internal attributes
    [0, 4], // external attributes
    [part.offset, 4],
  ];
  return bytesOf([[CENTRAL, 4], [VERSION, 2], ...shared(part, name), ...tail], name);
}

/** The end record of a directory that begins at `offset`. */
export function endRecord(parts: number, bytes: number, offset: number): Uint8Array {
  const counts: Field[] = [
    [0, 2],
    [0, 2],
    [parts, 2],
    [parts, 2],
  ];
  return bytesOf([[END, 4], ...counts, [bytes, 4], [offset, 4], [0, 2]], new Uint8Array());
}

/** Where the directory lies, out of an end record; null when the bytes are none of ours. */
export function readEnd(
  bytes: Uint8Array,
): { parts: number; bytes: number; offset: number } | null {
  if (bytes.byteLength !== END_BYTES) return null;
  const view = viewOf(bytes);
  const end = {
    parts: view.getUint16(8, true),
    bytes: view.getUint32(12, true),
    offset: view.getUint32(16, true),
  };
  return same(bytes, endRecord(end.parts, end.bytes, end.offset)) ? end : null;
}

/** The parts of a directory in order; null when a byte is not as `centralHeader` writes it. */
export function readDirectory(bytes: Uint8Array): ZipPart[] | null {
  const parts: ZipPart[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    if (at + 46 > bytes.byteLength) return null;
    const view = viewOf(bytes.subarray(at));
    const length = 46 + view.getUint16(28, true);
    const part = {
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + length)),
      crc: view.getUint32(16, true),
      packed: view.getUint32(20, true),
      size: view.getUint32(24, true),
      offset: view.getUint32(42, true),
    };
    if (!same(bytes.subarray(at, at + length), centralHeader(part))) return null;
    parts.push(part);
    at += length;
  }
  return parts;
}

export function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && a.every((byte, i) => byte === b[i]);
}

/** A little-endian number and its width in bytes. */
type Field = readonly [value: number, bytes: 2 | 4];

function shared(part: ZipPart, name: Uint8Array): Field[] {
  return [
    [VERSION, 2],
    [0, 2], // flags
    [DEFLATE, 2],
    [0, 2], // time
    [JAN_1_1980, 2],
    [part.crc, 4],
    [part.packed, 4],
    [part.size, 4],
    [name.byteLength, 2],
  ];
}

function bytesOf(fields: readonly Field[], name: Uint8Array): Uint8Array {
  const head = fields.reduce((sum, [, width]) => sum + width, 0);
  const bytes = new Uint8Array(head + name.byteLength);
  const view = viewOf(bytes);
  let at = 0;
  for (const [value, width] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  bytes.set(name, head);
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
