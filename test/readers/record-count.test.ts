import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Path } from "../../src/model/ids.js";
import { type CountRequest, countRecords } from "../../src/readers/record-count.js";
import { scanRecords } from "../../src/readers/record-scan.js";
import { countBeside } from "../../src/readers/record-thread.js";

const root = mkdtempSync(join(tmpdir(), "tieout-count-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const MARKS = { delimiter: 44, quote: 34 };
const START = { offset: 0, line: 1 };
let files = 0;

function file(body: string | Uint8Array): Path {
  const path = join(root, String(files++)) as Path;
  writeFileSync(path, body);
  return path;
}
function request(body: string | Uint8Array, change: Partial<CountRequest> = {}): CountRequest {
  return {
    ...{ file: file(body), marks: MARKS, from: START, ended: "LF", plain: true, fields: 2 },
    ...{ skip: { last: 0, starting_with: [] }, copy: join(root, `copy.${files}`) as Path },
    ...change,
  };
}
/** What the scan visits: text, line and fields of each record. */
function visited(body: string | Uint8Array) {
  const seen: [text: string, line: number, fields: number][] = [];
  scanRecords(file(body), MARKS, START, ({ bytes, start, end, line, fields }) => {
    seen.push([bytes.toString("utf8", start, end), line, fields]);
    return true;
  });
  return seen;
}

describe("the count that shares no code with an engine", () => {
  test("finds the records that another parser finds, with their fields", () => {
    const cell = fc.constantFrom("", "a", '"a,b"', '"a\nb"', '"a""b"', '""', "é", '"\r\n"');
    const record = fc.array(cell, { minLength: 2, maxLength: 4 }).map((r) => r.join(","));
    fc.assert(
      fc.property(fc.array(record, { maxLength: 30 }), fc.boolean(), (records, ended) => {
        const body = records.join("\n") + (ended && records.length > 0 ? "\n" : "");
        const oracle = parse(body, { record_delimiter: "\n", relax_column_count: true });
        expect(visited(body).map((r) => r[2])).toEqual(oracle.map((r) => r.length));
        expect(visited(body).map((r) => r[0])).toEqual(records);
      }),
    );
  });
  test("is the same wherever the blocks end, for records, quotes and line ends", () => {
    const pieces = ["a,b\r\n", '"x\r\ny",2\r\n', 'q,"""z"\n', "é,1\r", "\n", '"bad"x,1\n'];
    const body = pieces.join("");
    const alone = visited(body);
    for (let before = (1 << 20) - body.length - 1; before <= 1 << 20; before++) {
      const seen = visited(`${"p".repeat(before - 1)}\n${body}`).slice(1);
      expect(seen.map(([t, l, f]) => [t, l - 1, f])).toEqual(alone);
    }
  });
  test("judges a record the same whether or not it is passed over as plain", () => {
    const line = fc.constantFrom("a,b", "a", "a,b,c", '"a",b', "", "a,b\r", 'a,b"');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const body = lines.map((l) => `${l}\n`).join("");
        const skip = { last: 0, starting_with: ["never"] };
        const { records, first_line } = countRecords(request(body));
        expect(countRecords(request(body, { skip }))).toMatchObject({ records, first_line });
      }),
    );
  });
  test("a record of one byte too many is a fault, whichever way it is met", () => {
    for (const [over, first_line] of [
      [0, 1],
      [1, null],
    ] as const)
      for (const before of [0, 500_000]) {
        const pad = "p,1\n".repeat(before / 4);
        const body = `${pad}${"x".repeat((1 << 20) - 2 + over)},1\ny,2\n`;
        expect(countRecords(request(body))).toMatchObject({ records: before / 4 + 2, first_line });
      }
  });
  test("leaves a plain file alone, and copies another with its lines and faults", () => {
    const plain = request("a,1\nb,2\n");
    expect(countRecords(plain)).toMatchObject({ records: 2, first_line: 1 });
    expect(() => readFileSync(plain.copy)).toThrow(/ENOENT/);
    const odd = request('a,1\n\n"b\nc",2\r\nd\n"e"f,"g"\nfoot,0\n', {
      skip: { last: 0, starting_with: ["foot"] },
    });
    expect(countRecords(odd)).toEqual({ records: 6, skipped: 2, first_line: null, broken: true });
    expect(readFileSync(odd.copy, "utf8")).toBe(
      '1,,a,1\n3,,"b\nc",2\n5,3,"d",\n6,0,"""e""f,""g""",\n',
    );
  });
  test("gives the same in a thread, from where a large file is counted", async () => {
    const large = `${"a,1\n".repeat(300_000)}b\n`;
    const [beside, here] = [request(large), request(large)];
    expect(await countBeside(beside)).toEqual(countRecords(here));
    expect(readFileSync(beside.copy).equals(readFileSync(here.copy))).toBe(true);
  });
  test("an error in the thread arrives as one", async () => {
    const asked = request("a,1\n".repeat(300_000), { plain: false });
    await expect(countBeside({ ...asked, copy: asked.file })).rejects.toMatchObject({
      code: "EEXIST",
    });
  });
});
